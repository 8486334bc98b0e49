// What was played in a position, as a table: each move leads on.

import { $, find, make } from "../../lib/page.js";
import { language, t, tn } from "../../lib/texts.js";

/** @import { Crossroads, SeatTitle, Share, Way } from "../../lib/types.js" */

const MANY = 3; // seats, whose shares leave no room for another column

/** @param {number} share */
function formatTenths(share) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (100 * share).toLocaleString(language(), digits);
}

/** @param {number} share */
export function formatPercent(share) {
  return `${formatTenths(share)}\u00a0%`;
}

/**
 * @param {Crossroads} known
 * @param {SeatTitle[]} told seats whose shares are shown
 * @param {(move: string) => string} link where a move leads, as an address
 */
export function renderWays(known, told, link) {
  const { games, ways, early_games } = known;
  const count = { count: games.toLocaleString(language()) };
  $("count").textContent = games ? tn("{count} game", "{count} games", games, count) : "";
  $("none").hidden = ways.length > 0;
  const table = find("#ways table");
  table.hidden = ways.length === 0;
  const isCompared = early_games !== null;
  const head = [t("Move"), t("Times"), t("Played"), ...told.map(({ title }) => title)];
  if (isCompared && told.length < MANY) head.push(t("Early"));
  const cells = head.map((text) => make("th", { scope: "col" }, text));
  find("thead", table, HTMLTableSectionElement).replaceChildren(make("tr", {}, ...cells));
  find("tbody", table, HTMLTableSectionElement).replaceChildren(
    ...ways.map((way) => renderWay(way, told, isCompared, link(way.move))),
  );
}

/**
 * @param {Way} way
 * @param {SeatTitle[]} told
 * @param {boolean} isCompared
 * @param {string} address
 */
function renderWay(way, told, isCompared, address) {
  const { move, images, name, games, played, few, shares, before, drift } = way;
  const head = make("th", { scope: "row" }, make("a", { href: address }, move));
  head.dataset.move = move;
  if (images.length)
    head.append(" ", make("small", { title: images.join(" ") }, `+${images.length}`));
  if (name) head.append(make("span", { className: "name", lang: "en" }, name));
  const cells = [
    make("td", {}, games.toLocaleString(language())),
    make("td", {}, formatPercent(played)),
    ...told.map(({ seat }) => renderShare(shares[seat])),
  ];
  if (isCompared) {
    const words = { dropped: t("dropped"), found: t("found") };
    const note = drift ? make("span", { className: "drift" }, words[drift]) : "";
    const share = formatPercent(before ?? 0);
    if (told.length < MANY) cells.push(make("td", {}, share, note));
    else head.append(make("span", { className: "early" }, `${t("Early:")} ${share} `, note));
  }
  return make("tr", { className: few ? "few" : "" }, head, ...cells);
}

/** @param {Share | undefined} share */
function renderShare(share) {
  if (!share) return make("td");
  const range = `${formatTenths(share.low)}–${formatTenths(share.high)}`;
  return make("td", {}, formatPercent(share.value), make("small", {}, range));
}
