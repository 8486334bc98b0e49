import { planAhead, tryAhead } from "static/board/ahead.js";
import { findWay, goesOn, listWays } from "static/board/parts.js";
import { equal, ok, test } from "./testing.js";

/** @param {...string} paths such as "a1 ne" */
const moves = (...paths) =>
  paths.map((path) => ({ move: path.replace(" ", "-"), path: path.split(" ") }));

const [PAWNS, STONES, LEANS] = [moves("a1 a2"), moves("a1", "pass"), moves("a1 e", "b1 e")];
const place = (/** @type {number} */ x, /** @type {number} */ y) => ({ x, y, turn: 0 });
const SCENE = {
  cells: new Map([
    ["a1", place(0, 40)],
    ["a2", place(40, 40)],
    ["b1", place(0, 0)],
  ]),
  pieces: new Map(),
};
const DIRECTIONS = { e: [40, 0], n: [0, -40] };
const offer = (/** @type {ReturnType<typeof moves>} */ legal) => ({
  legal,
  directions: DIRECTIONS,
  seats: [],
  mine: false,
});

test("what is chosen ahead is as long as a move, and then begins anew", () => {
  equal(planAhead([], "b1", PAWNS), ["b1"]);
  equal(planAhead(["b1"], "b2", PAWNS), ["b1", "b2"]);
  equal(planAhead(["b1", "b2"], "c1", PAWNS), ["c1"]);
  equal(planAhead(["b1"], "b2", STONES), ["b2"]);
});

test("pointing at its beginning puts it down, and a direction alone begins nothing", () => {
  equal(planAhead(["b1", "b2"], "b1", PAWNS), []);
  equal(planAhead([], "ne", LEANS), []);
});

test("what became legal is played, what is half of a move is gone on with", () => {
  equal(tryAhead(["a1", "a2"], PAWNS), { move: PAWNS[0], chosen: ["a1", "a2"] });
  equal(tryAhead(["a1"], PAWNS), { move: null, chosen: ["a1"] });
  equal(tryAhead(["b1"], PAWNS), { move: null, chosen: [] });
});

test("directions are known from the moves of others", () => {
  equal(
    [listWays(offer(LEANS)), listWays(offer(PAWNS)), listWays(offer(STONES))],
    [["e", "n"], [], []],
  );
  equal(findWay(SCENE, offer(LEANS), ["a1"], "b1"), "n");
  equal(findWay(SCENE, offer(LEANS), [], "b1"), "b1");
  equal(findWay(SCENE, offer(PAWNS), ["a1"], "b1"), "b1");
});

test("only what a move goes on from is carried", () => {
  ok(goesOn({ ...offer(PAWNS), mine: true }, "a1"));
  ok(!goesOn(offer(PAWNS), "a1"));
  ok(!goesOn({ ...offer(STONES), mine: true }, "a1"));
});
