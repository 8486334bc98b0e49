// The choice of a move, without the DOM. Legal moves are paths of parts to point at, sent by the
// server; a selection is the part of a path that was pointed at. Every transition is a function from
// a selection to the next one and what follows from it, so nothing here knows a game or a page.

/** @import { LegalMove } from "../lib/types.js" */

/**
 * @typedef {object} Selection
 * @property {readonly string[]} chosen the parts of a move that were pointed at
 * @property {LegalMove | null} ready a whole move that waits to be confirmed
 */

/**
 * @typedef {object} Transition
 * @property {Selection} selection
 * @property {LegalMove | null} played a whole move that was pointed at
 * @property {string[] | null} refused what was pointed at, if no legal move begins so
 */

/** @type {Selection} */
export const NOTHING_CHOSEN = Object.freeze({ chosen: Object.freeze([]), ready: null });

/**
 * The moves that begin with a path.
 *
 * @param {LegalMove[]} legal
 * @param {readonly string[]} path
 */
export function listContinuing(legal, path) {
  return legal.filter((move) => path.every((part, i) => move.path[i] === part));
}

/**
 * What can be pointed at next.
 *
 * @param {LegalMove[]} legal
 * @param {Selection} selection
 */
export function listNext(legal, { chosen }) {
  const parts = listContinuing(legal, chosen).map((move) => move.path[chosen.length]);
  return [...new Set(parts)].filter((part) => part !== undefined);
}

/**
 * Something was pointed at: go on with the move, begin another one, or put it down. Pointing at the
 * end of a move that waits confirms it; what begins no move leaves what was chosen before.
 *
 * @param {LegalMove[]} legal
 * @param {Selection} before
 * @param {string} part
 * @param {boolean} confirming whether whole moves wait to be confirmed
 * @returns {Transition}
 */
export function point(legal, before, part, confirming) {
  const { chosen, ready } = before;
  if (ready && part === ready.path.at(-1)) return play(ready);
  const begun = ready ? [] : chosen;
  const longer = [...begun, part];
  const again = begun[0] === part; // whoever points at the start once more puts it down
  /** @type {string[]} */
  let path = [];
  if (listContinuing(legal, longer).length) path = longer;
  else if (!again && listContinuing(legal, [part]).length) path = [part];
  if (again && !path.length) return { selection: NOTHING_CHOSEN, played: null, refused: null };
  if (!path.length) return { selection: before, played: null, refused: longer };
  const whole = findWhole(legal, path);
  if (whole && !confirming) return play(whole);
  return { selection: { chosen: path, ready: whole }, played: null, refused: null };
}

/**
 * Something was dragged from a cell: that is pointing twice, but a drag that leads nowhere leaves
 * what was chosen before.
 *
 * @param {LegalMove[]} legal
 * @param {Selection} selection
 * @param {string} from
 * @param {string} part
 * @param {boolean} confirming
 * @returns {Transition}
 */
export function drag(legal, selection, from, part, confirming) {
  if (selection.ready) return { selection, played: null, refused: null };
  if (listContinuing(legal, [from, part]).length) {
    return point(legal, { chosen: [from], ready: null }, part, confirming);
  }
  return { selection, played: null, refused: [from, part] };
}

/**
 * @param {LegalMove} move
 * @returns {Transition}
 */
function play(move) {
  return { selection: NOTHING_CHOSEN, played: move, refused: null };
}

/**
 * @param {LegalMove[]} legal
 * @param {string[]} path
 */
function findWhole(legal, path) {
  const ends = (/** @type {LegalMove} */ move) => move.path.length === path.length;
  return listContinuing(legal, path).find(ends) ?? null;
}
