// One's own account: where one is signed in, what opens it, and leaving.

import { listHeld } from "../lib/api.js";
import { fieldsOf, listenToForm, showCodes } from "../lib/forms.js";
import { findMe, listPortions, rememberMe } from "../lib/me.js";
import { $, find, findAll, readData } from "../lib/page.js";
import { canUsePasskeys, makePasskey } from "../lib/passkeys.js";
import { findVacation, listOwn, moveGames, perform, renewCodes, VACATION } from "../lib/people.js";
import { isRefusal } from "../lib/requests.js";
import { forget } from "../lib/secrets.js";
import { t, tn } from "../lib/texts.js";

/** @param {string} text */
function say(text) {
  $("message").textContent = text;
}

/** Whoever comes next to this browser is not to have the seats of whoever was here. */
async function forgetSeats() {
  const own = await listOwn();
  if (!isRefusal(own)) for (const { id } of own) forget(id);
}

function leave() {
  rememberMe(null);
  location.href = "/";
}

$("sign-out").addEventListener("click", async () => {
  await forgetSeats();
  const why = await perform("/api/sessions/current", "DELETE");
  if (why) say(why);
  else leave();
});

for (const [attribute, path] of /** @type {const} */ ([
  ["session", "/api/sessions/"],
  ["passkey", "/api/account/passkeys/"],
])) {
  for (const item of findAll(`[data-${attribute}]`)) {
    for (const button of findAll("button", item, HTMLButtonElement)) {
      button.addEventListener("click", async () => {
        button.disabled = true;
        const why = await perform(path + readData(item, attribute), "DELETE");
        say(why);
        button.disabled = false;
        if (!why) item.remove();
      });
    }
  }
}

if (canUsePasskeys()) $("add-passkey").hidden = false;
else $("passkey-hint").textContent = t("This browser has no passkeys at this address.");
$("add-passkey").addEventListener("click", async () => {
  const made = await makePasskey();
  if ("error" in made) {
    say(made.error);
    return;
  }
  const name = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  const why = await perform("/api/account/passkeys", "POST", { ...made, name });
  if (why) say(why);
  else location.reload();
});

listenToForm("new-codes", async (form) => {
  const made = await renewCodes(fieldsOf(form).password ?? "");
  if (isRefusal(made)) return made.error;
  form.hidden = true;
  $("codes-left").hidden = true;
  $("new-codes-shown").hidden = false;
  showCodes(made.codes);
  return "";
});

listenToForm("new-password", async (form) => {
  const why = await perform("/api/account/password", "PUT", fieldsOf(form));
  if (why) return why;
  form.reset();
  for (const item of findAll("[data-session]:has(button)")) item.remove();
  return t("Your password is changed.");
});

if (document.getElementById("mail")) {
  listenToForm("new-mail", async (form) => {
    const why = await perform("/api/account/mail", "PUT", fieldsOf(form));
    if (why) return why;
    form.reset();
    return t("A mail is on its way. Open the link in it, and the address is yours.");
  });
}
const turns = document.getElementById("mail-turns");
if (turns instanceof HTMLInputElement) {
  turns.addEventListener("change", async () => {
    say(await perform("/api/account/mail", "PATCH", { turns: turns.checked }));
  });
  $("remove-mail").addEventListener("click", async () => {
    const why = await perform("/api/account/mail", "DELETE");
    if (why) say(why);
    else location.reload();
  });
}

// --- vacation

async function showVacation() {
  const now = await findVacation();
  if (isRefusal(now)) return;
  $("vacation-left").textContent = String(now.left);
  find("[name=days]", $("take-vacation"), HTMLInputElement).max = String(now.left);
  $("take-vacation").hidden = now.until !== null || now.left === 0;
  $("on-vacation").hidden = now.until === null;
  const style = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  if (now.until !== null) {
    $("vacation-until").textContent = new Date(now.until).toLocaleString(
      document.documentElement.lang,
      style,
    );
  }
}

listenToForm("take-vacation", async (form) => {
  const why = await perform(VACATION, "POST", { days: Number(fieldsOf(form).days) });
  if (!why) await showVacation();
  return why;
});

$("end-vacation").addEventListener("click", async () => {
  say(await perform(VACATION, "DELETE"));
  await showVacation();
});

showVacation();

listenToForm("delete-account", async (form) => {
  const why = await perform("/api/account", "DELETE", fieldsOf(form));
  if (!why) leave();
  return why;
});

// --- games that were played here as a guest

/** Which of the games that this browser has seats in are nobody's account's. */
async function countGuestGames() {
  let count = 0;
  for (const portion of listPortions()) {
    const found = await listHeld(portion);
    if (isRefusal(found)) break;
    count += found.filter(({ seats, yours }) => yours.some((n) => !seats[n]?.person)).length;
  }
  return count;
}

countGuestGames().then((count) => {
  if (!count) return;
  $("guest-count").textContent = tn("one unfinished game", "{n} unfinished games", count);
  $("guest-games").hidden = false;
});

$("move-games").addEventListener("click", async () => {
  for (const portion of listPortions()) {
    const moved = await moveGames(portion);
    if (isRefusal(moved)) {
      say(moved.error);
      return;
    }
  }
  $("guest-games").hidden = true;
});

findMe(); // whoever has come here by the cookie alone is known from now on
