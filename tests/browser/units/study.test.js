import { make } from "static/lib/page.js";
import { Graph } from "static/pages/study/graph.js";
import { addBetterLine, listMarks, listMistakes, listReviewed } from "static/pages/study/review.js";
import {
  describeChances,
  describeWorth,
  formatPercent,
  isDark,
  renderBalance,
  toChances,
} from "static/pages/study/thoughts.js";
import { Tree } from "static/pages/study/tree.js";
import { renderTree } from "static/pages/study/treeview.js";
import { equal, ok, test } from "./testing.js";

/** @import { ReviewedPly } from "static/lib/types.js" */
/** @import { Node } from "static/pages/study/tree.js" */

const SEATS = [
  { seat: 0, title: "One" },
  { seat: 1, title: "Two" },
];
const INKS = [
  ["#ffffff", "#000000"],
  ["#101010", "#000000"],
];

/**
 * @param {string} move
 * @param {Partial<ReviewedPly>} more
 * @returns {ReviewedPly}
 */
const judged = (move, more = {}) => ({
  turn: "1.",
  seat: 0,
  move,
  chances: [0.25, 0.75],
  proven: null,
  best: move,
  best_chances: [0.5, 0.5],
  line: [],
  loss: 0,
  mark: "",
  words: "",
  ...more,
});

const makeTree = () =>
  new Tree({
    moves: [
      { move: "a", seat: 0 },
      { move: "b", seat: 1 },
    ],
  });
const REVIEW = { moves: ["a", "b"], plies: [judged("a", { mark: "?", loss: 0.1 }), judged("b")] };

test("a review counts as far as the main line is still the same", () => {
  const tree = makeTree();
  equal(listReviewed(null, tree), []);
  equal(listReviewed(REVIEW, tree).length, 2);
  tree.root.children[0]?.children.splice(0, 1);
  equal(listReviewed(REVIEW, tree).length, 1);
  tree.remove(/** @type {Node} */ (tree.root.children[0]));
  equal(listReviewed(REVIEW, tree).length, 0);
});

test("mistakes are marked in the tree and listed, the worst first", () => {
  const tree = makeTree();
  equal(
    [...listMarks(REVIEW.plies, tree)].map(([node, mark]) => [node.move, mark]),
    [["a", "?"]],
  );
  const plies = [0.1, 0.5, 0.3].map((loss) => judged("m", { mark: "?", loss }));
  equal(
    listMistakes(plies).map(([number]) => number),
    [1, 2, 0],
  );
  equal(listMistakes(Array(20).fill(plies[0])).length, 8);
});

test("what would have been better is added once, with a word", () => {
  const tree = makeTree();
  const ply = judged("b", {
    mark: "?",
    line: [
      { move: "c", seat: 1 },
      { move: "d", seat: 0 },
    ],
  });
  const added = addBetterLine(tree, 1, ply);
  equal([added.isNew, added.start.move, added.start.comments], [true, "c", ["engine: better"]]);
  equal(tree.moves(tree.find(["a", "c", "d"])), ["a", "c", "d"]);
  added.start.comments = ["mine"];
  equal(addBetterLine(tree, 1, ply).isNew, false);
  equal(added.start.comments, ["mine"]);
});

test("chances are parts of one win", () => {
  equal(toChances([1, -1]), [1, 0]);
  equal(toChances([0, 0]), [0.5, 0.5]);
  equal(toChances([1, -0.5, -0.5]), [1, 0, 0]);
  equal(formatPercent(0.255), "26 %");
  equal(describeChances([0.25, 0.75], SEATS), "One 25 %, Two 75 %");
});

test("a candidate is worth a share, or what is proven", () => {
  const candidate = { move: "a", visits: 1, share: 1, values: [], chances: [0.5, 1], pv: [] };
  equal(describeWorth({ ...candidate, proven: false }, 0), "50 %");
  equal(describeWorth({ ...candidate, proven: true }, 0), "draws");
  equal(describeWorth({ ...candidate, proven: true }, 1), "wins");
  equal(describeWorth({ ...candidate, chances: [0, 1], proven: true }, 0), "loses");
});

test("the bar has a part for every seat, with numbers that can be read", () => {
  const bar = make("div", { hidden: true });
  renderBalance(bar, [0.95, 0.05], SEATS, INKS, "Proven: One wins");
  ok(!bar.hidden);
  equal(bar.getAttribute("aria-label"), "Proven: One wins (One 95 %, Two 5 %)");
  equal(
    [...bar.children].map((part) => part.textContent),
    ["95", ""],
  );
  ok(isDark("#101010") && !isDark("#ffffff"));
});

test("the graph is a slider over the plies", () => {
  const box = make("div");
  /** @type {number[]} */
  const gone = [];
  const graph = new Graph(box, (ply) => gone.push(ply));
  graph.point(0); // before there is anything to see
  graph.show([judged("a"), judged("b", { mark: "??", turn: "2." })], SEATS, INKS);
  equal(box.querySelectorAll("polygon").length, 2);
  equal(box.querySelectorAll(".mistake.grave").length, 1);
  graph.point(2);
  equal(box.getAttribute("aria-valuetext"), "2. b: One 25 %, Two 75 %");
  for (const key of ["ArrowLeft", "ArrowRight", "Home", "End", "PageDown", "Tab"]) {
    box.dispatchEvent(new KeyboardEvent("keydown", { key }));
  }
  equal(gone, [1, 2, 0, 2, 0]);
  graph.point(null);
  equal(box.querySelector(".cursor")?.getAttribute("visibility"), "hidden");
});

test("a tree is written with its marks, variations and comments", () => {
  const tree = makeTree();
  tree.add(tree.root, { move: "z", seat: 0 }).comments = ["<b>no markup</b>"];
  const box = make("div");
  /** @type {string[]} */
  const gone = [];
  const marks = listMarks(REVIEW.plies, tree);
  const buttons = renderTree(box, tree, marks, ({ move }) => gone.push(move));
  equal(box.textContent, "1. a? 1. z <b>no markup</b> 2. b ");
  equal(buttons.size, 3);
  box.querySelector(".variation button")?.dispatchEvent(new Event("click"));
  equal(gone, ["z"]);
  renderTree(box, new Tree({ moves: [] }), new Map(), () => {});
  equal(box.textContent, "No moves yet: play some on the board. ");
});
