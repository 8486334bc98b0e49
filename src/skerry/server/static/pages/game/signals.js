// Signals for somebody who looks elsewhere: the title and icon of the tab, and sounds.

import { notify } from "../../lib/alerts.js";
import { $, find } from "../../lib/page.js";
import { sound } from "../../lib/sound.js";
import { isYours } from "./state.js";
import { tellMoves, tellNews } from "./words.js";

/** @import { GameDocument } from "../../lib/types.js" */

/**
 * Tell what has happened since, by whatever reaches whoever is here.
 *
 * @param {GameDocument} before
 * @param {GameDocument} game
 * @param {string} words how it stands now
 * @param {(text: string, how: "note") => void} say what is to be read beside the board
 */
export function signalChange(before, game, words, say) {
  const moves = tellMoves(before, game);
  if (moves) $("heard").textContent = moves;
  const news = tellNews(before, game);
  const isOwn = $("chat-text", HTMLInputElement).disabled; // what is being sent from here
  if (news && !isOwn) say(news, "note");
  const isEnd = game.to_move === null && before.to_move !== null;
  const isMine = isYours(game, game.to_move);
  const isTurn = isMine && game.ply > before.ply && !isYours(game, before.to_move);
  if (isEnd || isTurn) notify(game.title, words);
  if (isEnd) sound("end");
  else if (isTurn) sound("turn");
  else if (game.ply > before.ply) sound("move");
}

/**
 * What the tab says, and whether its icon asks for attention.
 *
 * @param {string} words
 * @param {string} title
 * @param {boolean} isMine
 */
export function markTab(words, title, isMine) {
  document.title = `${words} - ${title}`;
  const icon = find("link[rel=icon]", document.head, HTMLLinkElement);
  icon.dataset.calm ??= icon.href;
  const turn = find("link[data-turn]", document.head, HTMLLinkElement).href;
  const wanted = isMine ? turn : icon.dataset.calm;
  if (icon.href !== wanted) icon.href = wanted;
}
