// What the engine thinks of the position that is looked at: in words, as a panel of candidates, and
// as a bar of what every seat may expect.

import { $, make, makeButton } from "../../lib/page.js";
import { language, t, tn } from "../../lib/texts.js";

/** @import { Analysis, Candidate, Inks, PositionDocument, SeatTitle } from "../../lib/types.js" */

const READABLE = 0.08; // the share of a bar that has room for a number

/** @typedef {{ seats: SeatTitle[], inks: Inks }} Look how seats are called, and their colours */

/**
 * @param {Analysis} analysis
 * @param {number} seat to move
 * @param {Look} look
 * @param {(move: string) => unknown} play
 */
export function renderThoughts(analysis, seat, { seats, inks }, play) {
  const { solved, visits, done } = analysis;
  const verdict = describeVerdict(analysis);
  $("verdict").textContent = verdict;
  $("depth").textContent = done ? sayLines(visits) : `${sayLines(visits)} …`;
  renderBalance($("balance"), (solved ?? analysis).chances, seats, inks, verdict);
  $("candidates").replaceChildren(
    ...analysis.moves.map((candidate) => {
      const isBest = solved?.moves.includes(candidate.move) ?? false;
      return renderCandidate(candidate, seat, isBest, play);
    }),
  );
}

/**
 * The position is the end of a game: there is nothing to think about.
 *
 * @param {PositionDocument} position
 * @param {Look} look
 */
export function renderEnd({ outcome, words }, { seats, inks }) {
  clearThoughts();
  $("verdict").textContent = words;
  if (outcome) renderBalance($("balance"), toChances(outcome.returns), seats, inks, words);
}

/** The first thoughts take a while on a new server; those about another position stay till then. */
export function noteWaiting() {
  if (!$("candidates").children.length) $("depth").textContent = t("getting ready …");
}

/** Nothing has been thought about this position. */
export function clearThoughts() {
  $("depth").textContent = "";
  $("verdict").textContent = "";
  $("candidates").replaceChildren();
  $("balance").hidden = true;
}

/** @param {Analysis} analysis */
export function describeVerdict({ solved, proven }) {
  if (solved) {
    const said = { end: solved.end, moves: solved.moves.join(", ") };
    return t("Solved: {end} with best play. Best: {moves}", said);
  }
  return proven ? t("Proven: {what}", { what: proven }) : "";
}

/**
 * What a candidate is worth to whoever plays it.
 *
 * @param {Candidate} candidate
 * @param {number} seat
 */
export function describeWorth({ chances, proven }, seat) {
  const chance = chances[seat] ?? 0;
  if (!proven) return formatPercent(chance);
  if (chance === 1) return t("wins");
  return chance === 0 ? t("loses") : t("draws");
}

/**
 * A candidate as a button that plays it.
 *
 * @param {Candidate} candidate
 * @param {number} seat
 * @param {boolean} isBest
 * @param {(move: string) => unknown} play
 */
function renderCandidate(candidate, seat, isBest, play) {
  const share = make("meter", { value: candidate.share });
  share.setAttribute(
    "aria-label",
    t("{percent} of the lines", { percent: formatPercent(candidate.share) }),
  );
  const content = [
    make("b", {}, candidate.move),
    make("span", {}, describeWorth(candidate, seat)),
    share,
    make("span", { className: "line" }, candidate.pv.slice(1, 8).join(" ")),
  ];
  const button = makeButton(content, () => play(candidate.move));
  button.classList.toggle("best", isBest);
  return make("li", {}, button);
}

/** @param {number} visits */
function sayLines(visits) {
  return tn("{count} line", "{count} lines", visits, { count: visits.toLocaleString(language()) });
}

// --- chances

/** @param {number} chance */
export function formatPercent(chance) {
  return `${Math.round(100 * chance)} %`;
}

/**
 * @param {number[]} chances
 * @param {SeatTitle[]} seats
 */
export function describeChances(chances, seats) {
  return seats.map(({ seat, title }) => `${title} ${formatPercent(chances[seat] ?? 0)}`).join(", ");
}

/**
 * What returns come to as parts of one win: 1 for a win, even parts for a draw.
 *
 * @param {number[]} returns
 */
export function toChances(returns) {
  const lowest = -1 / (returns.length - 1);
  return returns.map((value) => (value - lowest) / (1 - lowest));
}

/**
 * @param {HTMLElement} bar
 * @param {number[]} chances
 * @param {SeatTitle[]} seats
 * @param {Inks} inks
 * @param {string} note
 */
export function renderBalance(bar, chances, seats, inks, note) {
  bar.hidden = false;
  const words = describeChances(chances, seats);
  bar.setAttribute("aria-label", note ? `${note} (${words})` : words);
  bar.replaceChildren(
    ...seats.map(({ seat, title }) => {
      const chance = chances[seat] ?? 0;
      const [body = "", rim = ""] = inks[seat] ?? [];
      const part = make("span", { title: `${title} ${formatPercent(chance)}` });
      part.textContent = chance >= READABLE ? String(Math.round(100 * chance)) : "";
      part.style.flexGrow = String(chance);
      part.style.background = body;
      part.style.borderColor = rim;
      part.style.color = isDark(body) ? "#ffffff" : "#000000";
      return part;
    }),
  );
}

/** @param {string} colour as #rrggbb */
export function isDark(colour) {
  const part = (/** @type {number} */ at) => Number.parseInt(colour.slice(at, at + 2), 16);
  return 0.3 * part(1) + 0.59 * part(3) + 0.11 * part(5) < 128;
}
