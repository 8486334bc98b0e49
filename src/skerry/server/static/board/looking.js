// Going through a game by buttons, keys, wheel and swipes.

import { findAll, readData } from "../lib/page.js";

const SWIPE = 60; // pixels that are no accident
const WHEEL = 40; // of the wheel for one move
/** @type {Record<string, (at: number, last: number) => number>} */
const STEPS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};
/** @type {Record<string, string>} the same as buttons */
const BUTTONS = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End" };
const OWN_KEYS = "input, select, textarea, [role=application]"; // what needs arrow keys itself

/**
 * @typedef {object} Place
 * @property {() => number} at the ply that is looked at
 * @property {() => number} last
 * @property {(ply: number) => unknown} look
 */

/**
 * Look at the ply that a key leads to; whether it leads anywhere.
 *
 * @param {Place} place
 * @param {string} key
 */
function step({ at, last, look }, key) {
  const goal = STEPS[key]?.(at(), last());
  if (goal === undefined) return false;
  if (goal >= 0 && goal <= last() && goal !== at()) look(goal);
  return true;
}

/** @param {Place} place */
export function listenToButtons(place) {
  for (const button of findAll("[data-go]")) {
    button.addEventListener("click", () => step(place, BUTTONS[readData(button, "go")] ?? ""));
  }
}

/**
 * @param {HTMLElement} board
 * @param {HTMLElement} around
 * @param {Place} place
 */
export function listenForSteps(board, around, place) {
  document.addEventListener("keydown", (event) => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    if (target instanceof Element && target.closest(OWN_KEYS)) return;
    if (step(place, key)) event.preventDefault();
  });
  listenToWheel(board, place);
  listenToSwipes(board, around, place);
}

/**
 * @param {HTMLElement} board
 * @param {Place} place
 */
function listenToWheel(board, place) {
  let turned = 0;
  board.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return; // zooming
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < WHEEL) return;
      step(place, turned < 0 ? "ArrowLeft" : "ArrowRight");
      turned = 0;
    },
    { passive: false },
  );
}

/**
 * A swipe to the right goes back. On a board that takes moves it would be a drag.
 *
 * @param {HTMLElement} board
 * @param {HTMLElement} around
 * @param {Place} place
 */
function listenToSwipes(board, around, place) {
  /** @type {Touch | null} */
  let begun = null;
  around.addEventListener(
    "touchstart",
    ({ target, touches: [first, ...more] }) => {
      const isOwn = board.matches(".mine, .zoomed"); // it is dragged, or panned
      const isDrag = isOwn && board.contains(/** @type {Node} */ (target));
      begun = more.length || isDrag ? null : (first ?? null);
    },
    { passive: true },
  );
  around.addEventListener("touchend", ({ changedTouches: [ended] }) => {
    if (!begun || !ended) return;
    const [dx, dy] = [ended.clientX - begun.clientX, ended.clientY - begun.clientY];
    begun = null;
    if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) {
      step(place, dx > 0 ? "ArrowLeft" : "ArrowRight");
    }
  });
}
