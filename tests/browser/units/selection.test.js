import { drag, listNext, NOTHING_CHOSEN, point } from "static/board/selection.js";
import { equal, ok, test } from "./testing.js";

/** @param {...string} paths such as "a1 ne" */
const moves = (...paths) =>
  paths.map((path) => ({ move: path.replace(" ", "-"), path: path.split(" ") }));

const TURNS = moves("a1 ne", "a1 e", "b2 ne", "pass");
const STONES = moves("a1", "b2", "a1 b2"); // a move may begin as another one does
/** @param {...string} chosen */
const selected = (...chosen) => ({ chosen, ready: null });

test("what can be pointed at first is where moves begin, each once", () => {
  equal(listNext(TURNS, NOTHING_CHOSEN), ["a1", "b2", "pass"]);
});

test("what can be pointed at next goes on with what is chosen", () => {
  equal(listNext(TURNS, selected("a1")), ["ne", "e"]);
  equal(listNext(STONES, selected("a1")), ["b2"]);
  equal(listNext(TURNS, selected("c3")), []);
});

test("a part of a move is chosen", () => {
  const { selection, played, refused } = point(TURNS, NOTHING_CHOSEN, "a1", false);
  equal(selection, selected("a1"));
  equal([played, refused], [null, null]);
});

test("a whole move is played, and nothing is left chosen", () => {
  const { selection, played } = point(TURNS, selected("a1"), "e", false);
  equal(played, { move: "a1-e", path: ["a1", "e"] });
  ok(selection === NOTHING_CHOSEN);
  equal(point(TURNS, NOTHING_CHOSEN, "pass", false).played?.move, "pass");
});

test("another beginning takes the place of the first", () => {
  equal(point(TURNS, selected("a1"), "b2", false).selection, selected("b2"));
});

test("a second tap on the beginning puts it down without a word", () => {
  const { selection, refused } = point(TURNS, selected("a1"), "a1", false);
  ok(selection === NOTHING_CHOSEN);
  equal(refused, null);
});

test("what begins no move is refused with all that was pointed at, and what was chosen stays", () => {
  equal(point(TURNS, NOTHING_CHOSEN, "c3", false).refused, ["c3"]);
  const before = selected("a1");
  const { selection, refused } = point(TURNS, before, "w", false);
  ok(selection === before);
  equal(refused, ["a1", "w"]);
});

test("where moves are confirmed a whole one waits", () => {
  const { selection, played } = point(TURNS, selected("a1"), "e", true);
  equal(played, null);
  equal(selection.chosen, ["a1", "e"]);
  equal(selection.ready?.move, "a1-e");
});

test("a second tap on its end confirms a move that waits", () => {
  const { selection } = point(TURNS, selected("a1"), "e", true);
  equal(point(TURNS, selection, "e", true).played?.move, "a1-e");
});

test("anything else while a move waits begins anew", () => {
  const { selection } = point(TURNS, selected("a1"), "e", true);
  equal(point(TURNS, selection, "b2", true).selection, selected("b2"));
  equal(point(TURNS, selection, "c3", true).refused, ["c3"]);
});

test("a move that another one goes on from is played at once, or waits", () => {
  equal(point(STONES, NOTHING_CHOSEN, "a1", false).played?.move, "a1");
  const { selection } = point(STONES, NOTHING_CHOSEN, "a1", true);
  equal(selection.ready?.move, "a1");
});

test("a drag is a whole move from where it began", () => {
  equal(drag(TURNS, selected("b2"), "a1", "ne", false).played?.move, "a1-ne");
  equal(drag(TURNS, NOTHING_CHOSEN, "a1", "ne", true).selection.ready?.move, "a1-ne");
});

test("a drag that leads nowhere is refused and leaves what was chosen", () => {
  const before = selected("b2");
  const { selection, refused } = drag(TURNS, before, "a1", "w", false);
  ok(selection === before);
  equal(refused, ["a1", "w"]);
});

test("a drag while a move waits does nothing", () => {
  const { selection: waiting } = point(TURNS, selected("a1"), "e", true);
  const { selection, played, refused } = drag(TURNS, waiting, "b2", "ne", true);
  ok(selection === waiting);
  equal([played, refused], [null, null]);
});
