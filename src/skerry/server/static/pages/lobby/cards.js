// Challenges as they are listed: a small board, who waits, and for what.

import { formatOptions } from "../../lib/api.js";
import { describeClock } from "../../lib/clocks.js";
import { make } from "../../lib/page.js";
import { t, tn } from "../../lib/texts.js";

/** @import { ChallengeDocument } from "../../lib/types.js" */

const [WIDTH, HEIGHT] = [160, 148]; // as in templates/lobby.html

/**
 * A small board in both themes, of which the style sheet shows one: the middle of a game, or the
 * board that somebody has chosen.
 *
 * @param {ChallengeDocument} challenge
 * @param {Record<string, number>} frames
 */
function makePicture({ game, setup, options }, frames) {
  const pictures = ["light", "dark"].map((theme) => {
    const picture = make("img", { alt: "", width: WIDTH, height: HEIGHT, loading: "lazy" });
    const asked = new URLSearchParams({ game, options: formatOptions(options), theme });
    picture.src = setup
      ? `/api/positions/board.svg?${asked}`
      : `/showcase/${game}/${frames[game]}.svg?theme=${theme}`;
    return make("span", { className: `only-${theme}` }, picture);
  });
  return make("span", { className: "thumb" }, ...pictures);
}

/** @param {ChallengeDocument["joined"][number]} one */
function describeOne({ name, bot, rating, yours }) {
  if (yours) return t("you");
  return `${name}${bot ? ` (${t("bot")})` : ""}${rating === null ? "" : ` ${rating}`}`;
}

/** @param {ChallengeDocument} challenge */
function describeRange({ low, high }) {
  if (low === null && high === null) return "";
  if (high === null) return t("rating from {low}", { low: low ?? 0 });
  return low === null
    ? t("rating up to {high}", { high })
    : t("rating {low} to {high}", { low, high });
}

/**
 * What there is to know about a challenge, beside who waits.
 *
 * @param {ChallengeDocument} challenge
 */
export function describeTerms(challenge) {
  const { clock, rated, setup, seats, joined, swap, even, audience } = challenge;
  const lacking = seats - joined.length;
  const parts = [
    describeClock(clock),
    rated ? t("rated") : t("not rated"),
    setup && t("board: {setup}", { setup }),
    seats > 2 && tn("one more is needed", "{n} more are needed", lacking),
    swap && t("swap rule"),
    even && t("even start"),
    audience === "members" && t("members"),
    describeRange(challenge),
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * A challenge in a list, with what can be done about it.
 *
 * @param {ChallengeDocument} challenge
 * @param {Record<string, number>} frames the picture of each game
 * @param {string | Node} terms
 * @param {...HTMLElement} acts
 */
export function makeItem(challenge, frames, terms, ...acts) {
  const who = challenge.joined.map(describeOne).join(", ");
  const item = make(
    "li",
    { className: "challenge" },
    makePicture(challenge, frames),
    make(
      "span",
      { className: "what" },
      make("strong", {}, challenge.title),
      " ",
      make("span", { className: "who" }, who),
    ),
    make("span", { className: "terms soft" }, terms),
    make("span", { className: "acts" }, ...acts),
  );
  item.dataset.id = challenge.id;
  return item;
}

/** @type {WeakMap<Element, string>} what each item shows */
const shown = new WeakMap();

/**
 * Make a list show these challenges. What has not changed stays, and with it whatever somebody is
 * about to press there.
 *
 * @param {HTMLElement} list
 * @param {ChallengeDocument[]} challenges
 * @param {(challenge: ChallengeDocument) => HTMLElement} makeOne
 */
export function updateChallenges(list, challenges, makeOne) {
  const kept = new Map([...list.children].map((item) => [shown.get(item), item]));
  const items = challenges.map((challenge) => {
    const content = JSON.stringify(challenge);
    const item = kept.get(content) ?? makeOne(challenge);
    shown.set(item, content);
    return item;
  });
  const isSame = items.every((item, at) => item === list.children[at]);
  if (!isSame || items.length !== list.children.length) list.replaceChildren(...items);
}

/**
 * What is new in the list, in words for whoever does not see it.
 *
 * @param {ChallengeDocument[]} open
 * @param {Set<string>} told those that were told before; what is new is added
 */
export function tellOthers(open, told) {
  const isFirst = told.size === 0;
  const fresh = open.filter(({ id }) => !told.has(id));
  for (const { id } of fresh) told.add(id);
  told.add("");
  if (isFirst || !fresh.length) return "";
  const names = fresh.map(({ joined, title }) => `${joined[0]?.name ?? t("Somebody")}: ${title}`);
  return t("New: {names}", { names: names.join(", ") });
}
