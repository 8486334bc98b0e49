// Pictures of boards in the page: put there, read, moved from one to the next, and decorated with
// what can be pointed at.

import { still } from "../lib/preferences.js";
import { isCell, NEIGHBOURS, planGlides } from "./scene.js";

/** @import { Directions } from "../lib/types.js" */
/** @import { Piece, Place, Scene } from "./scene.js" */

const GLIDE = 260; // milliseconds
const CELL = /^(.*)cell-([a-z]\d+)$/;
const TRANSFORM = /translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?/;
const SEAT = /^seat-(\d+)$/;
const SVG = "http://www.w3.org/2000/svg";
const [DOT, RING, HANDLE] = [4, 18.5, 13]; // radii
const [CORNER, ARM] = [18, 9]; // of the cursor: from its middle, and how long
const REACH = 0.72; // of a handle, in steps from its cell

/**
 * A new element of a drawing.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * Put a picture into a box; pieces glide from where they were. `path` was pointed at last.
 *
 * @param {Element} box
 * @param {string} markup
 * @param {readonly string[]} path
 */
export function show(box, markup, path = []) {
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return;
  const fresh = document.importNode(parsed, true);
  const old = box.querySelector("svg");
  fresh.removeAttribute("width");
  fresh.removeAttribute("height");
  fresh.setAttribute("aria-hidden", "true"); // the page says it in words
  box.replaceChildren(fresh);
  if (old && !still.matches) glide(readScene(old), fresh, path);
}

/**
 * @param {Scene} before
 * @param {Element} picture
 * @param {readonly string[]} path
 */
function glide(before, picture, path) {
  for (const { name, from, to, delay } of planGlides(before, readScene(picture), path)) {
    const piece = picture.querySelector(`.piece[id$="piece-${name}"]`);
    const timing = { duration: GLIDE, delay, fill: /** @type {const} */ ("backwards") };
    if (from) {
      const frames = [{ transform: toCss(from) }, { transform: toCss(to) }];
      piece?.animate(frames, { ...timing, easing: "ease-in-out" });
    } else {
      piece?.animate([{ opacity: 0 }, { opacity: 1 }], { ...timing, easing: "ease-out" });
    }
  }
}

/**
 * Cells and pieces as a picture shows them, by the names of the cells.
 *
 * @param {Element} picture
 * @returns {Scene}
 */
export function readScene(picture) {
  const cells = new Map();
  const pieces = new Map();
  for (const cell of picture.querySelectorAll(".cell")) {
    const name = nameOf(cell);
    if (name) cells.set(name, readPlace(cell));
  }
  for (const piece of picture.querySelectorAll(".piece")) {
    pieces.set(piece.id.slice(piece.id.lastIndexOf("-") + 1), readPiece(piece));
  }
  return { cells, pieces };
}

/**
 * @param {Element} element
 * @returns {Piece}
 */
function readPiece(element) {
  const [, kind = "", owner = ""] = element.classList;
  const seat = SEAT.exec(owner)?.[1];
  return {
    kind,
    seat: seat === undefined ? null : Number(seat),
    facing: element.getAttribute("data-facing"),
    place: readPlace(element),
  };
}

/**
 * @param {Element} element
 * @returns {Place}
 */
function readPlace(element) {
  const [, x, y, turn] = TRANSFORM.exec(element.getAttribute("transform") ?? "") ?? [];
  return { x: Number(x ?? 0), y: Number(y ?? 0), turn: Number(turn ?? 0) };
}

/**
 * The name of a cell. Several boards on a page keep their ids apart by what stands before them.
 *
 * @param {Element} cell
 */
function nameOf(cell) {
  return CELL.exec(cell.id)?.[2] ?? null;
}

/**
 * The cell that an element of a picture belongs to, or null.
 *
 * @param {Element} element
 */
export function findCell(element) {
  const cell = element.closest(".cell");
  return cell && nameOf(cell);
}

/** @param {Place} place */
function toCss({ x, y, turn }) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg)`;
}

// --- decorations: where a move may start, handles for directions, and the keyboard's cell

/** @param {Element} box */
export function removeDecorations(box) {
  for (const extra of box.querySelectorAll(".hint, .handle, .ahead, .hover")) extra.remove();
}

/**
 * Mark where a move may start, unless that is every empty cell.
 *
 * @param {Element} picture
 * @param {Scene} scene
 * @param {string[]} starts
 */
export function drawHints(picture, scene, starts) {
  const found = starts.filter(isCell);
  const isFree = (/** @type {string} */ name) => !scene.pieces.has(name);
  if (found.length === scene.cells.size - scene.pieces.size && found.every(isFree)) return;
  for (const name of found) {
    const place = scene.cells.get(name);
    if (!place) continue;
    if (isFree(name)) picture.append(drawCircle(place, "hint", DOT));
    else picture.append(drawCircle(place, "hint ring", RING));
  }
}

/**
 * Draw a handle for every direction that can come next, around the cell it starts from.
 *
 * @param {Element} picture
 * @param {Place | undefined} from
 * @param {string[]} parts
 * @param {Directions} directions
 */
export function drawHandles(picture, from, parts, directions) {
  if (!from) return;
  for (const part of parts) {
    const step = directions[part];
    if (!step) continue;
    const [dx = 0, dy = 0] = step;
    const handle = drawCircle({ x: from.x + REACH * dx, y: from.y + REACH * dy }, "handle", HANDLE);
    handle.setAttribute("data-way", part);
    picture.append(handle);
  }
}

/**
 * Show a move that was chosen ahead: its cells in dashed squares, and the way between them.
 *
 * @param {Element} picture
 * @param {Scene} scene
 * @param {readonly string[]} path
 * @param {Directions} directions
 */
export function drawAhead(picture, { cells }, path, directions) {
  const [first = "", second = ""] = path;
  const from = cells.get(first);
  if (!from) return;
  const [dx = 0, dy = 0] = directions[second] ?? [];
  const way = directions[second] && { x: from.x + REACH * dx, y: from.y + REACH * dy };
  const to = cells.get(second) ?? way;
  if (to) {
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
    picture.append(draw("line", { class: "ahead", ...ends }));
  }
  for (const { x, y } of [from, cells.get(second)].filter((place) => place !== undefined)) {
    const size = { width: 2 * CORNER, height: 2 * CORNER, rx: 6 };
    picture.append(draw("rect", { class: "ahead", x: x - CORNER, y: y - CORNER, ...size }));
  }
}

/**
 * How far neighbours are apart on the screen, in pixels.
 *
 * @param {SVGGraphicsElement | null} picture
 */
export function measureCells(picture) {
  return NEIGHBOURS * (picture?.getScreenCTM()?.a ?? 0);
}

/**
 * Show where the keyboard is, by the corners of a frame, which no mark of a board has; null for
 * nowhere. Light upon dark, it is seen on every colour.
 *
 * @param {Element} picture
 * @param {string | null} cell
 * @param {Place} [place]
 */
export function drawCursor(picture, cell, place) {
  for (const old of picture.querySelectorAll(".cursor")) old.remove();
  if (!cell || !place) return;
  const { x, y } = place;
  const cursor = draw("g", { class: "cursor", "data-cell": cell });
  const corners = [-1, 1].flatMap((i) => [-1, 1].map((j) => drawCorner(x, y, i, j)));
  for (const name of ["casing", "core"]) {
    cursor.append(draw("path", { class: name, d: corners.join("") }));
  }
  picture.append(cursor);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} i -1 for left, 1 for right
 * @param {number} j -1 for above, 1 for below
 */
function drawCorner(x, y, i, j) {
  const [right, low] = [x + i * CORNER, y + j * CORNER];
  return `M${right - i * ARM} ${low}H${right}V${low - j * ARM}`;
}

/**
 * @param {{ x: number, y: number }} centre
 * @param {string} name
 * @param {number} radius
 */
function drawCircle({ x, y }, name, radius) {
  return draw("circle", { class: name, cx: x, cy: y, r: radius });
}
