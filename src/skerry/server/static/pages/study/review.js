// A review of the main line: its mistakes, marked in the tree and listed in words.

import { make, makeButton } from "../../lib/page.js";
import { t } from "../../lib/texts.js";

/** @import { Review, ReviewedPly, SeatTitle } from "../../lib/types.js" */
/** @import { Node, Tree } from "./tree.js" */

const MOST_LISTED = 8;
const BETTER = t("engine: better");

/**
 * What a review says of the main line, as far as it still is the one that was looked over.
 *
 * @param {Review | null} review
 * @param {Tree} tree
 */
export function listReviewed(review, tree) {
  if (!review) return [];
  const main = tree.mainLine();
  const differs = review.moves.findIndex((move, i) => main[i]?.move !== move);
  return differs < 0 ? review.plies : review.plies.slice(0, differs);
}

/**
 * The marks of the nodes of the main line.
 *
 * @param {ReviewedPly[]} plies
 * @param {Tree} tree
 * @returns {Map<Node, string>}
 */
export function listMarks(plies, tree) {
  const main = tree.mainLine();
  return new Map(
    plies.flatMap((ply, i) => {
      const node = main[i];
      return node && ply.mark ? [[node, ply.mark]] : [];
    }),
  );
}

/**
 * The worst mistakes with their numbers, the worst first.
 *
 * @param {ReviewedPly[]} plies
 */
export function listMistakes(plies) {
  const marked = [...plies.entries()].filter(([, ply]) => ply.mark);
  return marked.sort(([, a], [, b]) => b.loss - a.loss).slice(0, MOST_LISTED);
}

/**
 * Add what would have been better to a tree; where it begins, and whether it was not there yet.
 *
 * @param {Tree} tree
 * @param {number} number of the mistake, counted from the start of the game
 * @param {ReviewedPly} ply
 */
export function addBetterLine(tree, number, ply) {
  const before = tree.mainLine()[number - 1] ?? tree.root;
  const known = before.children.length;
  let at = before;
  for (const step of ply.line) at = tree.add(at, step);
  const start = before.children.find((child) => child.move === ply.line[0]?.move) ?? before;
  const isNew = before.children.length > known;
  if (isNew) start.comments = [BETTER];
  return { start, isNew };
}

/**
 * @param {HTMLElement} list
 * @param {ReviewedPly[]} plies
 * @param {SeatTitle[]} seats
 * @param {(number: number, ply: ReviewedPly) => unknown} show what would have been better
 */
export function renderMistakes(list, plies, seats, show) {
  list.replaceChildren(
    ...listMistakes(plies).map(([number, ply]) => {
      const words = ` ${seats[ply.seat]?.title}: ${ply.words}`;
      const button = makeButton([make("b", {}, ply.mark)], () => show(number, ply));
      button.append(words);
      return make("li", {}, button);
    }),
  );
}
