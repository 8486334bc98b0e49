// Taking a study elsewhere: links to it, files of it, and pictures of the board that is shown.

import { formatOptions, prepareFilm } from "../../lib/api.js";
import { copy, writeFrame } from "../../lib/clipboard.js";
import { $, find, findAll, findSite, make, makeButton, readData } from "../../lib/page.js";
import { addStyles } from "../../lib/preferences.js";
import { secretsOf } from "../../lib/secrets.js";
import { t } from "../../lib/texts.js";

/** @import { StudyDocument } from "../../lib/types.js" */

/** @param {StudyDocument} study */
export function renderLinks({ id, yours, title }) {
  if (id === null) return;
  for (const link of findAll("[data-export]", document, HTMLAnchorElement)) {
    link.href = `/api/studies/${id}/${readData(link, "export")}?${new URLSearchParams({ theme: addStyles() })}`;
  }
  const address = `${findSite()}/study/${id}`;
  const rows = [makeRow(t("To read"), address)];
  if (yours) rows.push(makeRow(t("To change it"), `${address}#s=${secretsOf(id)[0]}`));
  const code = writeFrame(`/study/${id}`, title);
  const embed = makeButton(t("Copy embed code"), (button) => copy(code, button));
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
  const line = new URLSearchParams({ options: chosen, start, moves: moves.join(",") });
  $("explore", HTMLAnchorElement).href = `/openings/${game}?${line}`;
}

/**
 * Save what is there before it is taken elsewhere. A film takes a while, and says so.
 *
 * @param {{ isKept: boolean, save: () => Promise<unknown> }} keeper
 * @param {(error: string) => unknown} say
 */
export function listenToExports(keeper, say) {
  for (const link of findAll("[data-export]", document, HTMLAnchorElement)) {
    const isFilm = readData(link, "export").startsWith("film");
    link.addEventListener("click", async (event) => {
      if (keeper.isKept && !isFilm) return;
      event.preventDefault();
      if (!keeper.isKept) await keeper.save();
      if (!keeper.isKept) return;
      if (isFilm) await fetchFilm(link.href, say);
      else location.href = link.href;
    });
  }
}

/**
 * @param {string} address
 * @param {(error: string) => unknown} say
 */
async function fetchFilm(address, say) {
  const [box, words] = [$("filming"), $("filmed")];
  const bar = find("progress", box, HTMLProgressElement);
  if (!box.hidden) return; // one at a time
  say("");
  bar.value = 0;
  words.textContent = t("Drawing …");
  box.hidden = false;
  for await (const told of prepareFilm(address)) {
    if ("done" in told && told.of) {
      bar.value = told.done / told.of;
      const share = `${Math.floor(100 * bar.value)} %`;
      words.textContent =
        told.done < told.of ? `${t("Drawing …")} ${share}` : t("Putting it together …");
    }
    if (told.error) say(told.error);
    else if ("url" in told && told.url) location.href = told.url;
  }
  box.hidden = true;
}
