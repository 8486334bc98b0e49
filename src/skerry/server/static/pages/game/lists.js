// Lists that grow while a game goes on: moves and chat. What is there already is left alone, so that
// nothing is read out twice.

import { findAll, make, markCurrent, readData } from "../../lib/page.js";

/** @import { GameDocument, Remark } from "../../lib/types.js" */

/**
 * @param {HTMLElement} list
 * @param {GameDocument} game
 * @param {number} at the ply that is looked at
 */
export function renderMoves(list, game, at) {
  if (list.children.length > game.moves.length) list.replaceChildren();
  for (const move of game.moves.slice(list.children.length)) {
    const button = make("button", { type: "button", className: `seat-${move.seat}` }, move.text);
    button.dataset.ply = String(move.ply);
    list.append(make("li", {}, button));
  }
  for (const button of findAll("button", list)) {
    const isHere = Number(readData(button, "ply")) === at;
    markCurrent(button, isHere);
    if (isHere) reveal(list, button);
  }
}

/**
 * Scroll a list to one of its parts, and nothing else: scrollIntoView would scroll the page too.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement} part
 */
function reveal(list, part) {
  const [around, inside] = [list.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inside.top < around.top) list.scrollTop -= around.top - inside.top;
  if (inside.bottom > around.bottom) list.scrollTop += inside.bottom - around.bottom;
}

/**
 * @param {HTMLElement} list
 * @param {Remark[]} remarks
 */
export function renderRemarks(list, remarks) {
  const last = list.lastElementChild;
  const newest = last instanceof HTMLElement ? Number(readData(last, "n")) : -1;
  for (const remark of remarks.filter(({ n }) => n > newest)) {
    const item = make("li", {}, make("b", {}, remark.name), ` ${remark.text}`);
    item.dataset.n = String(remark.n);
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }
}
