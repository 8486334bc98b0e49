// What there is to see on a board, and how one picture becomes the next, without the DOM: cells and
// pieces by the names of cells, in the units of the picture. Nothing here knows a game.

import { t } from "../lib/texts.js";
import { spellWay } from "./ways.js";

/** @import { Directions, SeatTitle } from "../lib/types.js" */

/**
 * @typedef {object} Place where something is drawn
 * @property {number} x
 * @property {number} y
 * @property {number} turn degrees
 */

/**
 * @typedef {object} Piece
 * @property {string} kind
 * @property {number | null} seat null for a piece that belongs to nobody
 * @property {string | null} facing the direction that it leans in
 * @property {Place} place
 */

/**
 * @typedef {object} Scene
 * @property {Map<string, Place>} cells
 * @property {Map<string, Piece>} pieces
 */

const NEAR = 5; // what is closer than this is at the same place
const RIPPLE = 70; // milliseconds between neighbours in a chain of changes
export const NEIGHBOURS = 40; // how far their cells are apart in a picture

/** @type {Scene} */
export const NOTHING_DRAWN = { cells: new Map(), pieces: new Map() };

/**
 * Whether a part of a path is a cell, and not a direction or a word.
 *
 * @param {string} part
 */
export function isCell(part) {
  return /^[a-z]\d+$/.test(part);
}

/**
 * The cell nearest to another one in the direction of an arrow key; null at the edge.
 *
 * @param {Scene} scene
 * @param {string} name
 * @param {readonly [number, number]} direction
 * @returns {string | null}
 */
export function findNeighbour({ cells }, name, [dx, dy]) {
  const from = cells.get(name);
  if (!from) return null;
  let [nearest, least] = [/** @type {string | null} */ (null), Number.POSITIVE_INFINITY];
  for (const [other, to] of cells) {
    const [ex, ey] = [to.x - from.x, to.y - from.y];
    const along = ex * dx + ey * dy;
    const aside = Math.abs(ex * dy - ey * dx);
    if (along < NEAR || aside > along * 1.2) continue;
    const cost = Math.hypot(along, 2 * aside);
    if (cost < least) [nearest, least] = [other, cost];
  }
  return nearest;
}

/**
 * The direction, of some, that leads from one cell straight to another; null if none does.
 *
 * @param {Scene} scene
 * @param {string} from
 * @param {string} to
 * @param {Directions} directions
 * @returns {string | null}
 */
export function findDirection({ cells }, from, to, directions) {
  const [start, goal] = [cells.get(from), cells.get(to)];
  if (!start || !goal) return null;
  for (const [name, [dx = 0, dy = 0]] of Object.entries(directions)) {
    if (Math.hypot(start.x + dx - goal.x, start.y + dy - goal.y) < NEAR) return name;
  }
  return null;
}

/**
 * What stands on a cell, in words.
 *
 * @param {Scene} scene
 * @param {string} name
 * @param {SeatTitle[]} seats
 */
export function describeCell({ pieces }, name, seats) {
  const piece = pieces.get(name);
  if (!piece) return t("{cell}, empty", { cell: name });
  const owner = piece.seat === null ? t("neutral") : (seats[piece.seat]?.title ?? "");
  const said = {
    cell: name,
    owner,
    piece: t(piece.kind),
    way: spellWay(piece.facing ?? ""),
  };
  return piece.facing
    ? t("{cell}, {owner} {piece}, leaning {way}", said)
    : t("{cell}, {owner} {piece}", said);
}

// --- motion: pieces glide from where they were, one after the other where a change spreads

/**
 * @typedef {object} Glide
 * @property {string} name of the cell where the piece stands now
 * @property {Place | null} from null for a piece that was not there before
 * @property {Place} to
 * @property {number} delay milliseconds
 */

/**
 * Every piece that moves from one scene to the next; `path` is what was pointed at.
 *
 * @param {Scene} before
 * @param {Scene} after
 * @param {readonly string[]} path
 * @returns {Glide[]}
 */
export function planGlides(before, after, path) {
  if (isTurned(before, after)) return []; // everybody would swap places
  const centre = after.cells.get(path.at(-1) ?? "") ?? after.cells.get(path[0] ?? "");
  const standing = new Map(before.pieces);
  const glides = [];
  for (const [name, { place: to }] of after.pieces) {
    const origin = standing.has(name) ? name : findOrigin(name, path);
    const from = standing.get(origin)?.place;
    standing.delete(name);
    if (!from) glides.push({ name, from: null, to, delay: 0 });
    else if (!isSame(from, to)) {
      glides.push({ name, from, to: unwind(from, to), delay: findDelay(to, centre) });
    }
  }
  return glides;
}

/**
 * Whether a board is seen from another side than before.
 *
 * @param {Scene} before
 * @param {Scene} after
 */
function isTurned(before, after) {
  for (const [name, place] of before.cells) {
    const now = after.cells.get(name);
    if (now) return !isSame(place, now);
  }
  return false;
}

/**
 * Where the piece on a cell came from: a move of two cells says so.
 *
 * @param {string} name
 * @param {readonly string[]} path
 */
function findOrigin(name, [first = "", second = "", ...more]) {
  return name === second && more.length === 0 ? first : "";
}

/**
 * A change spreads from where somebody pointed.
 *
 * @param {Place} place
 * @param {Place | undefined} centre
 */
function findDelay(place, centre) {
  if (!centre) return 0;
  const steps = Math.hypot(place.x - centre.x, place.y - centre.y) / NEIGHBOURS;
  return Math.max(0, steps - 0.5) * RIPPLE;
}

/**
 * @param {Place} a
 * @param {Place} b
 */
function isSame(a, b) {
  return a.x === b.x && a.y === b.y && a.turn === b.turn;
}

/**
 * The same place with the turn that is nearest to where it came from.
 *
 * @param {Place} from
 * @param {Place} to
 * @returns {Place}
 */
function unwind(from, to) {
  return { ...to, turn: to.turn - 360 * Math.round((to.turn - from.turn) / 360) };
}
