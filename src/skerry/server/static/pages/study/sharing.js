// Taking a study elsewhere: links to it, files of it, and pictures of the board that is shown.

import { formatOptions } from "../../lib/api.js";
import { copy, writeFrame } from "../../lib/clipboard.js";
import { $, findAll, make, makeButton, readData } from "../../lib/page.js";
import { addStyles } from "../../lib/preferences.js";
import { secretsOf } from "../../lib/secrets.js";

/** @import { StudyDocument } from "../../lib/types.js" */

/** @param {StudyDocument} study */
export function renderLinks({ id, yours, title }) {
  if (id === null) return;
  for (const link of findAll("[data-export]", document, HTMLAnchorElement)) {
    link.href = `/api/studies/${id}/${readData(link, "export")}?${new URLSearchParams({ theme: addStyles() })}`;
  }
  const address = `${location.origin}/study/${id}`;
  const rows = [makeRow("To read", address)];
  if (yours) rows.push(makeRow("To change it", `${address}#s=${secretsOf(id)[0]}`));
  const code = writeFrame(`/study/${id}`, title);
  const embed = makeButton("Copy embed code", (button) => copy(code, button));
  $("share").replaceChildren(...rows, embed);
}

/**
 * @param {string} name
 * @param {string} link
 */
function makeRow(name, link) {
  const field = make("input", { readOnly: true, value: link });
  field.addEventListener("focus", () => field.select());
  return make("label", { className: "remark" }, name, field);
}

/**
 * Where pictures of a board are found, and the page to set up another one.
 *
 * @param {StudyDocument} study
 * @param {string[]} moves
 * @param {string} position
 */
export function linkBoard({ game, options, start }, moves, position) {
  const chosen = formatOptions(options);
  const board = { game, options: chosen, start, moves: moves.join(","), theme: addStyles() };
  for (const link of findAll("[data-board]", document, HTMLAnchorElement)) {
    link.href = `/api/positions/board.${readData(link, "board")}?${new URLSearchParams(board)}`;
  }
  const setup = new URLSearchParams({ game, options: chosen, position });
  $("set-up", HTMLAnchorElement).href = `/study?${setup}`;
}
