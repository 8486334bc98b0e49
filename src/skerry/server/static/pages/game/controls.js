// Buttons for what can be done besides moving.

import { flip, isFlipped } from "../../board/sides.js";
import { $, find, findAll, readData } from "../../lib/page.js";
import { remember, secretsOf } from "../../lib/secrets.js";
import { listDeeds, noteOnOffers } from "./state.js";
import { noteOnSwap, noteOnWarming } from "./words.js";

/** @import { Way, Zoom } from "../../board/zoom.js" */
/** @import { GameDocument } from "../../lib/types.js" */

/**
 * What cannot be done now stays where it is, so that nothing slides under a pointer.
 *
 * @param {GameDocument} game
 * @param {boolean} isMyTurn
 * @param {number | null} viewing the ply that is looked at, null for the game as it stands
 */
export function renderButtons(game, isMyTurn, viewing) {
  const deeds = listDeeds(game);
  offer("takeback", deeds.isPlaying, deeds.takeback);
  $("takeback").textContent = deeds.takebackWords;
  $("takeback-asked").hidden = !deeds.answerTakeback;
  offer("offer-draw", deeds.mayAgree, deeds.draw);
  $("draw-asked").hidden = !deeds.answerDraw;
  for (const button of findAll("[data-action]:not(.asked *)")) {
    button.hidden = !game.can.includes(readData(button, "action"));
  }
  $("resign").hidden = !deeds.resign;
  $("resign").dataset.words = deeds.resignWords;
  $("rematch").hidden = !deeds.rematch;
  $("to-rematch").hidden = !game.rematch;
  if (game.rematch) $("to-rematch", HTMLAnchorElement).href = game.rematch;
  $("analyse").hidden = !deeds.analyse;
  $("another").hidden = !deeds.analyse;
  $("analyse", HTMLAnchorElement).hash = viewing === null ? "" : `p=${viewing}`;
  $("type").hidden = !deeds.isPlaying;
  for (const control of findAll("input, button", $("type"))) {
    control.toggleAttribute("disabled", !isMyTurn);
  }
}

/**
 * @param {string} id
 * @param {boolean} isKnown whether there is such a thing here
 * @param {boolean} isPossible whether it can be done now
 */
function offer(id, isKnown, isPossible) {
  const button = $(id, HTMLButtonElement);
  button.hidden = !isKnown;
  button.disabled = !isPossible;
}

/**
 * What there is to know beside whose turn it is.
 *
 * @param {GameDocument} game
 */
export function renderNotes(game) {
  $("offers").textContent = noteOnOffers(game);
  const note = noteOnSwap(game) || noteOnWarming(game);
  if ($("note").textContent !== note) $("note").textContent = note; // else it is read out again
}

/** @param {(action: string) => unknown} act does it at the server */
export function listenToDeeds(act) {
  const perform = async (/** @type {string} */ action) => {
    await act(action);
    showPrompt();
  };
  $("takeback").addEventListener("click", () => perform("ask-takeback"));
  $("resign").addEventListener("click", () => {
    if (window.confirm(readData($("resign"), "words"))) perform("resign");
  });
  $("offer-draw").addEventListener("click", () => perform("offer-draw"));
  $("rematch").addEventListener("click", () => perform("rematch"));
  for (const button of findAll("[data-action]")) {
    button.addEventListener("click", () => perform(readData(button, "action")));
  }
}

/** What became of a deed is said beside the board, which may have been scrolled away. */
function showPrompt() {
  const { top, bottom } = find(".prompt").getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) window.scrollTo(0, 0);
}

/** Whoever looks at another position has scrolled away from the board on a phone. */
export function showBoard() {
  const { top, height } = $("board").getBoundingClientRect();
  const middle = top + height / 2;
  if (middle < 0 || middle > window.innerHeight) window.scrollTo(0, 0);
}

/**
 * Seats are rotated, but everybody keeps their secret.
 *
 * @param {GameDocument} game
 */
export function goToRematch({ id, rematch }) {
  if (!rematch) return;
  remember(rematch.slice("/g/".length), secretsOf(id));
  location.href = rematch;
}

/**
 * From which side the board is seen, and how closely.
 *
 * @param {string} game its kind
 * @param {Zoom} zoom
 * @param {() => void} turned the board is to be drawn from the other side
 */
export function listenToView(game, zoom, turned) {
  const press = (/** @type {boolean} */ is) => $("flip").setAttribute("aria-pressed", String(is));
  press(isFlipped(game));
  $("flip").addEventListener("click", () => {
    press(flip(game));
    turned();
  });
  for (const button of findAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom.go(/** @type {Way} */ (readData(button, "zoom"))));
  }
}
