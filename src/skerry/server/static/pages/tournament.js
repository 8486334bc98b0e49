// The page of a tournament: what the server shows of it is shown again whenever it changes.

import { Live } from "../lib/live.js";
import { $, findAll, readData } from "../lib/page.js";
import { isRefusal, send } from "../lib/requests.js";
import { t } from "../lib/texts.js";
import { Backoff, wait, writeTimes } from "../lib/time.js";

/** @import { EventShown, Refusal } from "../lib/types.js" */
/** @typedef {Pick<EventShown, "version" | "your_game">} Brief */
/** @typedef {{ type: "tournament", tournament: Brief }} News */

const PAUSE = 2000; // milliseconds between two looks: when a round ends, much happens at once
const LONGEST_PAUSE = 30_000; // while it cannot be had
const backoff = new Backoff(PAUSE, LONGEST_PAUSE);
const sheet = $("sheet");
const id = readData(sheet, "event");
let game = readData(sheet, "game");
let shown = Number(readData(sheet, "version")); // it may have changed before we are connected
let isWaiting = false;

/** Show the sheet as it is now, and not again for a while. */
async function refreshSoon() {
  if (isWaiting) return;
  isWaiting = true;
  let isFresh = false;
  for (let before = NaN; !isFresh || shown !== before; ) {
    before = shown;
    isFresh = await refresh();
    if (isFresh) backoff.reset();
    await wait(isFresh ? PAUSE : backoff.next());
  }
  isWaiting = false;
}

/** Whether the sheet could be had. */
async function refresh() {
  const answer = await fetch(`/tournaments/${id}?part=true`).catch(() => null);
  if (!answer?.ok) return false;
  const focused = document.activeElement?.getAttribute("data-deed");
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  sheet.replaceChildren(...fresh.body.childNodes);
  prepare();
  const [again] = findAll(`[data-deed="${focused}"]`, sheet);
  again?.focus();
  return true;
}

function prepare() {
  writeTimes(sheet);
  for (const button of findAll("[data-deed]", sheet, HTMLButtonElement)) {
    button.addEventListener("click", () => act(button));
  }
}

/** @param {HTMLButtonElement} button */
async function act(button) {
  const deed = readData(button, "deed");
  if (
    deed === "call-off" &&
    !confirm(t("Call this tournament off? It ends at once, for everybody."))
  )
    return;
  button.disabled = true;
  /** @type {EventShown | Refusal} */
  const answer = await send(`/api/tournaments/${id}/${deed}`, {});
  $("message").textContent = isRefusal(answer) ? answer.error : "";
  button.disabled = false;
  await refresh();
}

/** @param {News} news */
function hear({ type, tournament }) {
  if (type !== "tournament" || tournament.version < shown) return;
  const next = tournament.your_game ?? "";
  // Whoever waits here for their next game is led there.
  const isLed = next && next !== game && !document.hidden;
  game = next; // known from now on, also to whoever comes back to this page
  if (isLed) {
    location.assign(next);
    return;
  }
  const isNews = tournament.version > shown;
  shown = tournament.version;
  if (isNews) refreshSoon();
}

prepare();
const live = new Live(`/api/tournaments/${id}/live`, {
  greet: () => ({ type: "hello", brief: true }),
  hear,
  notice: () => {},
});
live.connect();
