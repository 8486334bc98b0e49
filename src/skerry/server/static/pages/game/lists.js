// Lists that grow while a game goes on: moves and chat. What is there already is left alone, so that
// nothing is read out twice.

import { findAll, make, markCurrent, readData } from "../../lib/page.js";

/** @import { GameDocument } from "../../lib/types.js" */

/**
 * @param {HTMLElement} list
 * @param {GameDocument} game
 * @param {number} at the ply that is looked at
 */
export function renderMoves(list, game, at) {
  const known = list.children.length;
  if (known > game.moves.length) list.replaceChildren();
  for (const move of game.moves.slice(list.children.length)) {
    const button = make("button", { type: "button", className: `seat-${move.seat}` }, move.text);
    button.dataset.ply = String(move.ply);
    list.append(make("li", {}, button));
  }
  for (const button of findAll("button", list)) {
    const isHere = Number(readData(button, "ply")) === at;
    markCurrent(button, isHere);
    if (isHere && list.children.length !== known) button.scrollIntoView({ block: "nearest" });
  }
}

/**
 * @param {HTMLElement} list
 * @param {GameDocument} game
 */
export function renderChat(list, game) {
  const last = list.lastElementChild;
  const newest = last instanceof HTMLElement ? Number(readData(last, "n")) : -1;
  for (const remark of game.chat.filter(({ n }) => n > newest)) {
    const item = make("li", {}, make("b", {}, remark.name), ` ${remark.text}`);
    item.dataset.n = String(remark.n);
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }
}
