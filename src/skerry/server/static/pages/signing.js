// Signing in and up. A guest's games move into the account that is made in the same browser.

import { fieldsOf, listenToForm, showCodes } from "../lib/forms.js";
import { findMe, listPortions, rememberMe } from "../lib/me.js";
import { $, find, findAll } from "../lib/page.js";
import { canUsePasskeys, signByPasskey } from "../lib/passkeys.js";
import { enter, moveGames, perform, renewCodes } from "../lib/people.js";
import { isRefusal } from "../lib/requests.js";
import { listIds } from "../lib/secrets.js";
import { t } from "../lib/texts.js";

/** @import { AccountDocument } from "../lib/types.js" */

/** Where somebody was before they signed in: a page of ours, and not one of these. */
function findOrigin() {
  const from = new URLSearchParams(location.search).get("from") ?? "/";
  return /^\/(?![/\\]|sign)/.test(from) ? from : "/";
}

function goBack() {
  location.href = findOrigin();
}

/** Whoever takes the other door, or is done, comes back to where they were as well. */
function keepOrigin() {
  const query = `?from=${encodeURIComponent(findOrigin())}`;
  for (const link of findAll("main a[href^='/sign-']", document, HTMLAnchorElement)) {
    link.search = query;
  }
  const done = document.querySelector("#welcome a[href='/']");
  if (done instanceof HTMLAnchorElement) done.href = findOrigin();
}

/** @param {AccountDocument} person */
function welcome(person) {
  rememberMe(person);
  goBack();
}

/** Whoever runs the server may hand out a link with a code: `#NAME:CODE`. */
function fillInCode() {
  const [name = "", code = ""] = location.hash.slice(1).split(":").map(decodeURIComponent);
  if (!code) return;
  const form = $("recover", HTMLFormElement);
  find("[name=name]", form, HTMLInputElement).value = name;
  find("[name=code]", form, HTMLInputElement).value = code;
  const box = form.closest("details");
  if (box) box.open = true;
}

function listenToSigningIn() {
  fillInCode();
  listenToForm("sign-in", async (form) => {
    const answer = await enter("sessions", fieldsOf(form));
    if (isRefusal(answer)) return answer.error;
    welcome(answer);
    return "";
  });
  listenToForm("recover", async (form) => {
    const answer = await enter("sessions/recovery", fieldsOf(form));
    if (isRefusal(answer)) return answer.error;
    welcome(answer);
    return "";
  });
  if (document.getElementById("mail-link")) {
    listenToForm("mail-link", async (form) => {
      const why = await perform("/api/sessions/recovery/mail", "POST", fieldsOf(form));
      return why || t("If there is such an account with a mail address, a mail is on its way.");
    });
  }
  const button = $("by-passkey");
  button.hidden = !canUsePasskeys();
  button.addEventListener("click", async () => {
    const answer = await signByPasskey();
    if (answer && !isRefusal(answer)) welcome(answer);
    find(".message", $("sign-in")).textContent = answer && isRefusal(answer) ? answer.error : "";
  });
}

function listenToSigningUp() {
  const count = listIds().length;
  const note = $("guest-games");
  note.hidden = count === 0;
  note.textContent = t("What you have played in this browser as a guest will be your account's.");
  const field = document.querySelector("#sign-up [name=invitation]");
  if (field instanceof HTMLInputElement) field.value = location.hash.slice(1);
  listenToForm("sign-up", async (form) => {
    const { name = "", password = "", invitation: pasted = location.hash } = fieldsOf(form);
    const invitation = pasted.trim().replace(/^.*#/, ""); // of a whole link, what counts
    const shown = invitation ? { invitation } : {};
    const answer = await enter("accounts", { name, password, ...shown });
    if (isRefusal(answer)) return answer.error;
    rememberMe(answer);
    for (const portion of listPortions()) await moveGames(portion);
    const made = await renewCodes(password);
    if (isRefusal(made)) goBack();
    else {
      form.hidden = true;
      $("welcome").hidden = false;
      showCodes(made.codes);
      $("welcome-title").focus();
    }
    return "";
  });
}

keepOrigin();
if (document.getElementById("sign-in")) listenToSigningIn();
else listenToSigningUp();
findMe().then((person) => {
  if (person && document.getElementById("sign-in")) goBack(); // who is signed in already
});
