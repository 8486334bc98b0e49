import { describeCell, findDirection, findNeighbour, planGlides } from "static/board/scene.js";
import { equal, test } from "./testing.js";

/**
 * @param {number} x
 * @param {number} y
 */
const at = (x, y, turn = 0) => ({ x, y, turn });
const CELLS = new Map([
  ["a1", at(0, 0)],
  ["a2", at(40, 0)],
  ["a3", at(80, 0)],
  ["b1", at(20, -35)],
  ["b2", at(60, -35)],
]);
const DIRECTIONS = { e: [40, 0], ne: [20, -35], w: [-40, 0] };

/** @param {Record<string, import("static/board/scene.js").Place>} places */
function draw(places) {
  const pieces = Object.entries(places).map(([name, place]) => {
    /** @type {[string, import("static/board/scene.js").Piece]} */
    const entry = [name, { kind: "thing", seat: 0, facing: null, place }];
    return entry;
  });
  return { cells: CELLS, pieces: new Map(pieces) };
}

test("arrow keys go to the nearest cell, and nowhere at the edge", () => {
  const scene = draw({});
  equal(findNeighbour(scene, "a1", [1, 0]), "a2");
  equal(findNeighbour(scene, "a3", [-1, 0]), "a2");
  equal(findNeighbour(scene, "a3", [1, 0]), null);
  equal(findNeighbour(scene, "b1", [0, 1]), "a1");
  equal(findNeighbour(scene, "b2", [1, 0]), null); // a3 lies more below than beside it
  equal(findNeighbour(scene, "nowhere", [1, 0]), null);
});

test("every cell can be reached by arrow keys", () => {
  const scene = draw({});
  const reached = new Set(["a1"]);
  /** @type {[number, number][]} */
  const arrows = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ];
  for (const name of reached) {
    for (const arrow of arrows) {
      const next = findNeighbour(scene, name, arrow);
      if (next) reached.add(next);
    }
  }
  equal([...reached].sort(), [...CELLS.keys()].sort());
});

test("a cell stands for the direction that leads to it", () => {
  const scene = draw({});
  equal(findDirection(scene, "a1", "a2", DIRECTIONS), "e");
  equal(findDirection(scene, "a1", "b1", DIRECTIONS), "ne");
  equal(findDirection(scene, "a1", "a3", DIRECTIONS), null);
  equal(findDirection(scene, "a1", "b1", { e: [40, 0] }), null);
});

test("cells are described in words", () => {
  const place = at(0, 0);
  const scene = {
    cells: CELLS,
    pieces: new Map([
      ["a1", { kind: "thing", seat: 1, facing: "ne", place }],
      ["a2", { kind: "thing", seat: null, facing: null, place }],
    ]),
  };
  const seats = [
    { seat: 0, title: "One" },
    { seat: 1, title: "Two" },
  ];
  equal(describeCell(scene, "a1", seats), "a1, Two thing, leaning north-east");
  equal(describeCell(scene, "a2", seats), "a2, neutral thing");
  equal(describeCell(scene, "b1", seats), "b1, empty");
});

test("what stays where it was does not move", () => {
  equal(planGlides(draw({ a1: at(0, 0) }), draw({ a1: at(0, 0) }), []), []);
});

test("a new piece appears", () => {
  const [glide] = planGlides(draw({}), draw({ a2: at(40, 0) }), ["a2"]);
  equal(glide, { name: "a2", from: null, to: at(40, 0), delay: 0 });
});

test("a piece that moved comes from where the move began", () => {
  const [before, after] = [draw({ a1: at(0, 0) }), draw({ a2: at(40, 0) })];
  equal(planGlides(before, after, ["a1", "a2"])[0]?.from, at(0, 0));
  equal(planGlides(before, after, [])[0]?.from, null);
});

test("a piece that was taken is not glided over by its taker's start", () => {
  const [before, after] = [draw({ a1: at(0, 0), a2: at(40, 0) }), draw({ a2: at(40, 0) })];
  equal(planGlides(before, after, ["a1", "a2"]), []);
});

test("a piece that stays is not the one that came", () => {
  const [before, after] = [draw({ a1: at(0, 0) }), draw({ a1: at(0, 0), a2: at(40, 0) })];
  equal(planGlides(before, after, ["a1", "a2"]), [
    { name: "a2", from: null, to: at(40, 0), delay: 0 },
  ]);
});

test("a turn goes the short way round", () => {
  const [glide] = planGlides(draw({ a1: at(0, 0, -60) }), draw({ a1: at(0, 0, 240) }), ["a1"]);
  equal(glide?.to.turn, -120);
});

test("a change spreads from where somebody pointed", () => {
  const before = draw({ a1: at(0, 0), a2: at(40, 0), a3: at(80, 0) });
  const after = draw({ a1: at(0, 0, 60), a2: at(40, 0, 60), a3: at(80, 0, 60) });
  const delays = planGlides(before, after, ["a1"]).map(({ delay }) => delay);
  equal(delays, [0, 35, 105]);
});
