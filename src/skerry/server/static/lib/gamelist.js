// Lists of games with small boards, as templates make them; what has not changed stays.

import { findAll, make, readData } from "./page.js";
import { stylePictures } from "./preferences.js";

const [WIDTH, HEIGHT] = [160, 148]; // as in templates/thumbnail.html

/**
 * A game in a list: `who` plays, and how it stands.
 *
 * @typedef {{ id: string, ply: number, who: string, note: string, waits?: boolean }} Entry
 */

/**
 * A small board in both themes, of which the style sheet shows one; the other is not even loaded.
 *
 * @param {Entry} entry
 */
function makeThumbnail({ id, ply }) {
  const pictures = ["light", "dark"].map((theme) => {
    const picture = make("img", { alt: "", width: WIDTH, height: HEIGHT, loading: "lazy" });
    picture.src = `/api/games/${id}/board.svg?theme=${theme}&at=${ply}`;
    return make("span", { className: `only-${theme}` }, picture);
  });
  const thumbnail = make("span", { className: "thumb" }, ...pictures);
  stylePictures(thumbnail);
  return thumbnail;
}

/** @param {Entry} entry */
function makeItem(entry) {
  const link = make(
    "a",
    { href: `/g/${entry.id}` },
    makeThumbnail(entry),
    make("span", { className: "who" }, entry.who),
    " ",
    make("span", { className: "note soft" }),
  );
  link.dataset.id = entry.id;
  link.dataset.ply = String(entry.ply);
  return make("li", {}, link);
}

/**
 * Make a list show these games.
 *
 * @param {HTMLElement} list
 * @param {Entry[]} entries
 */
export function updateList(list, entries) {
  const kept = new Map(findAll("li:has(a[data-id])", list).map((item) => [keyOf(item), item]));
  const items = entries.map((entry) => {
    const item = kept.get(`${entry.id} ${entry.ply}`) ?? makeItem(entry);
    const note = item.querySelector(".note");
    if (note && note.textContent !== entry.note) note.textContent = entry.note;
    item.classList.toggle("waits", Boolean(entry.waits));
    return item;
  });
  const isSame = items.every((item, at) => item === list.children[at]);
  if (!isSame || items.length !== list.children.length) list.replaceChildren(...items);
}

/** @param {HTMLElement} item */
function keyOf(item) {
  const [link] = findAll("a[data-id]", item);
  return link ? `${readData(link, "id")} ${readData(link, "ply")}` : "";
}
