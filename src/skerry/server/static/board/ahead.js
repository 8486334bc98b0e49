// Moves chosen ahead, while it is somebody else's turn. What will be legal is not known yet, so
// anything can be pointed at; how long a move is follows from those of whoever is to move. When one's
// own turn comes the path is tried. Pure functions: an empty path is no move.

import { isCell } from "./scene.js";
import { listContinuing } from "./selection.js";

/** @import { LegalMove } from "../lib/types.js" */

/**
 * @typedef {object} Trial what becomes of a move chosen ahead
 * @property {LegalMove | null} move it can be played
 * @property {readonly string[]} chosen it can be gone on with
 */

/**
 * The path after something was pointed at: it goes on, begins anew, or is put down.
 *
 * @param {readonly string[]} path
 * @param {string} part
 * @param {LegalMove[]} legal of whoever is to move
 * @returns {readonly string[]}
 */
export function planAhead(path, part, legal) {
  const longest = Math.max(1, ...legal.map((move) => move.path.length));
  if (path[0] === part) return [];
  if (path.length < longest && (path.length || isCell(part))) return [...path, part];
  return isCell(part) ? [part] : path;
}

/**
 * @param {readonly string[]} path
 * @param {LegalMove[]} legal
 * @returns {Trial}
 */
export function tryAhead(path, legal) {
  const going = listContinuing(legal, path);
  const move = going.find((each) => each.path.length === path.length) ?? null;
  return { move, chosen: going.length ? path : [] };
}
