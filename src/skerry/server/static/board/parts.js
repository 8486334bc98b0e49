// What pointing at a cell stands for, without the DOM: the cell itself, or the direction towards it.

import { findDirection, isCell } from "./scene.js";
import { listNext } from "./selection.js";

/** @import { Directions, LegalMove, SeatTitle } from "../lib/types.js" */
/** @import { Scene } from "./scene.js" */

/**
 * @typedef {object} Offer what may be pointed at
 * @property {LegalMove[]} legal
 * @property {Directions} directions
 * @property {SeatTitle[]} seats
 * @property {boolean} mine whether it is the reader's turn
 * @property {number | null} [seat] whose turn it is
 */

/**
 * Whether a move may go on from a cell: then it can be dragged from there.
 *
 * @param {Offer} offered
 * @param {string} cell
 */
export function goesOn({ legal, mine }, cell) {
  return mine && listNext(legal, { chosen: [cell], ready: null }).length > 0;
}

/**
 * What a cell stands for where some parts of a move are chosen.
 *
 * @param {Scene} scene
 * @param {Offer} offered
 * @param {readonly string[]} chosen
 * @param {string} cell
 */
export function findPart(scene, { legal, directions }, chosen, cell) {
  const parts = listNext(legal, { chosen, ready: null });
  const from = chosen.at(-1);
  if (from === undefined || parts.includes(cell)) return cell;
  const ways = Object.entries(directions).filter(([way]) => parts.includes(way));
  return findDirection(scene, from, cell, Object.fromEntries(ways)) ?? cell;
}

/**
 * The directions that second parts of moves are; none where they are cells, or where there are none.
 *
 * @param {Offer} offered
 * @returns {string[]}
 */
export function listWays({ legal, directions }) {
  const seconds = legal.map(({ path }) => path[1]).filter((part) => part !== undefined);
  if (!seconds.length || seconds.some(isCell)) return [];
  return Object.keys(directions);
}

/**
 * What a cell stands for in a move that is chosen ahead, when nobody knows what will be legal.
 *
 * @param {Scene} scene
 * @param {Offer} offered
 * @param {readonly string[]} ahead
 * @param {string} cell
 */
export function findWay(scene, offered, ahead, cell) {
  const [from, ...more] = ahead;
  if (from === undefined || more.length || !listWays(offered).length) return cell;
  return findDirection(scene, from, cell, offered.directions) ?? cell;
}
