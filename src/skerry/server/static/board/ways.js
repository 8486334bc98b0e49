// Directions as people know them, without the DOM of any page: notation has compass points, n to nw.

import { make, makeButton } from "../lib/page.js";
import { t } from "../lib/texts.js";

const POINTS = new Map(
  Object.entries({ n: t("north"), e: t("east"), s: t("south"), w: t("west") }),
);
const ARROWS = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];

/**
 * A compass point in words, ne as north-east; anything else as it is.
 *
 * @param {string} part
 */
export function spellWay(part) {
  const words = [...part].map((letter) => POINTS.get(letter));
  return words.every(Boolean) ? words.join("-") : part;
}

/**
 * A move as it is said aloud: with its direction in words, if it has one.
 *
 * @param {{ text: string, path: readonly string[] }} move
 */
export function sayMove({ text, path }) {
  const said = path.map(spellWay);
  return said.every((part, i) => part === path[i]) ? text : said.join(" ");
}

/**
 * The arrow for a step in a picture, where y grows downwards.
 *
 * @param {readonly number[]} step
 */
export function pickArrow([dx = 0, dy = 0]) {
  const eighths = Math.round(Math.atan2(-dy, dx) / (Math.PI / 4));
  return ARROWS[(eighths + ARROWS.length) % ARROWS.length] ?? "";
}

/**
 * A button for a part of a move that is no cell: a direction has an arrow as the board is seen.
 *
 * @param {string} part
 * @param {readonly number[] | undefined} step where it leads in the picture, if it is a direction
 * @param {() => unknown} act
 */
export function makeChoice(part, step, act) {
  const arrow = step ? [make("span", { ariaHidden: "true" }, pickArrow(step))] : [];
  const button = makeButton([...arrow, make("span", { className: "part" }, part)], act);
  button.dataset.part = part;
  if (step) button.ariaLabel = `${part}, ${spellWay(part)}`;
  return button;
}
