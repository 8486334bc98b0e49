// What is being played now: small boards that go on as the games do.

import { listPlayed } from "../../lib/api.js";
import { $, find, findAll, make, readData } from "../../lib/page.js";
import { makeThumbnail } from "../../lib/thumbnails.js";
import { wait } from "../../lib/time.js";

/** @import { GameListed } from "../../lib/types.js" */

const PAUSE = 5000; // milliseconds

/** Look again and again, while the page is in sight. */
export async function watch() {
  const section = $("playing");
  const list = find("ul", section);
  for (;;) {
    await wait(PAUSE);
    if (document.hidden) continue;
    const games = await listPlayed(Number(readData(list, "shown")));
    if (games) {
      update(list, games);
      section.hidden = !games.length;
    }
  }
}

/**
 * Put the games into a list; what has not changed stays as it is.
 *
 * @param {HTMLElement} list
 * @param {GameListed[]} games
 */
export function update(list, games) {
  const kept = new Map(findAll("a[data-id]", list).map((link) => [readData(link, "id"), link]));
  const items = games.map((game) => {
    const old = kept.get(game.id);
    if (old && readData(old, "ply") === String(game.ply))
      return /** @type {Node} */ (old.parentNode);
    return make("li", {}, draw(game));
  });
  if (items.some((item, at) => item !== list.children[at]) || items.length !== list.children.length)
    list.replaceChildren(...items);
}

/** @param {GameListed} game */
function draw(game) {
  const names = game.seats.map((seat) => seat.name).join(", ");
  const link = make(
    "a",
    { href: `/g/${game.id}` },
    makeThumbnail(game),
    make("span", { className: "who" }, `${game.title}: ${names}`),
    " ",
    make("span", { className: "soft" }, `move ${game.ply}`),
  );
  link.dataset.id = game.id;
  link.dataset.ply = String(game.ply);
  return link;
}
