import { Tree } from "static/pages/study/tree.js";
import { equal, ok, test } from "./testing.js";

/** @import { Node } from "static/pages/study/tree.js" */

const LINE = {
  comments: ["before it all"],
  moves: [
    {
      move: "a",
      mark: "!",
      left: 0,
      seat: 0,
      turn: 1,
      comments: ["well begun"],
      variations: [
        {
          comments: ["or else"],
          moves: [
            { move: "b", mark: "?", spent: 7, seat: 0, turn: 1 },
            { move: "c", seat: 1, turn: 2 },
          ],
        },
      ],
    },
    { move: "d", seat: 1, turn: 2 },
  ],
};

/** @param {Node | undefined} node */
const sure = (node) => {
  if (!node) throw new Error("there is no such node");
  return node;
};

test("a line is read with its variations and comments, and written again", () => {
  const tree = new Tree(LINE);
  equal(
    tree.mainLine().map(({ move }) => move),
    ["a", "d"],
  );
  equal(tree.root.comments, ["before it all"]);
  const other = sure(tree.root.children[1]);
  equal([other.move, other.intro], ["b", ["or else"]]);
  equal(tree.toLine(), {
    comments: ["before it all"],
    moves: [
      {
        move: "a",
        mark: "!",
        left: 0,
        comments: ["well begun"],
        variations: [
          {
            comments: ["or else"],
            moves: [
              { move: "b", mark: "?", spent: 7, comments: [] },
              { move: "c", comments: [], variations: [] },
            ],
          },
        ],
      },
      { move: "d", comments: [], variations: [] },
    ],
  });
  equal(new Tree(tree.toLine()).toLine(), tree.toLine());
});

test("an empty line is a tree with a root", () => {
  const tree = new Tree({ moves: [] });
  equal([tree.mainLine(), tree.toLine()], [[], { comments: [], moves: [] }]);
  ok(tree.end(tree.root) === tree.root);
});

test("a move that is there already is not added twice", () => {
  const tree = new Tree(LINE);
  const known = tree.add(tree.root, { move: "b", seat: 0 });
  equal(tree.root.children.length, 2);
  ok(known === tree.root.children[1]);
});

test("turns are counted by seats", () => {
  const tree = new Tree({ moves: [] });
  const one = tree.add(tree.root, { move: "a", seat: 0 });
  const same = tree.add(one, { move: "b", seat: 0 });
  const other = tree.add(same, { move: "c", seat: 1 });
  equal([one.turn, same.turn, other.turn], [1, 1, 2]);
});

test("nodes are found by their moves, as far as there are any", () => {
  const tree = new Tree(LINE);
  const c = tree.find(["b", "c"]);
  equal([c.move, tree.moves(c)], ["c", ["b", "c"]]);
  equal(tree.find(["b", "unknown"]).move, "b");
  ok(tree.find([]) === tree.root);
});

test("variations are gone through up and down", () => {
  const tree = new Tree(LINE);
  const [a, b] = tree.root.children.map(sure);
  ok(tree.beside(sure(a), 1) === b);
  ok(tree.beside(sure(b), -1) === a);
  ok(tree.beside(sure(b), 1) === b);
  ok(tree.beside(tree.root, 1) === tree.root);
});

test("a variation is promoted with all that follows", () => {
  const tree = new Tree(LINE);
  const c = tree.find(["b", "c"]);
  equal(tree.start(c)?.move, "b");
  tree.promote(c);
  equal(
    tree.mainLine().map(({ move }) => move),
    ["b", "c"],
  );
  equal(tree.start(c), null);
  tree.promote(c); // the main line stays
  equal(tree.mainLine().length, 2);
});

test("a node is removed with all that follows, and the root stays", () => {
  const tree = new Tree(LINE);
  ok(tree.remove(tree.find(["a"])) === tree.root);
  equal(
    tree.mainLine().map(({ move }) => move),
    ["b", "c"],
  );
  ok(tree.remove(tree.root) === tree.root);
  equal(tree.end(tree.root).move, "c");
});
