import { addLine, askForMore, canPlan, tellPlanned, writeLine } from "static/pages/game/lines.js";
import { seat, seen } from "./fakes.js";
import { equal, ok, test } from "./testing.js";

/**
 * A line as it is written: capitals are the moves of seat 0.
 *
 * @param {string} text
 */
const line = (text) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((move, n) => ({
      ply: n + 2,
      seat: move === move.toUpperCase() ? 0 : 1,
      text: move,
      path: [move],
    }));

test("answers are planned in slow games, while others are to move", () => {
  ok(canPlan(seen()));
  ok(!canPlan(seen({ to_move: 0 })));
  ok(!canPlan(seen({ to_move: null })));
  ok(!canPlan(seen({ yours: [] })));
  ok(!canPlan(seen({ yours: [0, 1] })));
  ok(!canPlan(seen({ seats: [seat(0), seat(1, { kind: "level:2" })] })));
  const clock = { settings: {}, remaining: [], running: null, grace: 0, now: 0 };
  ok(canPlan(seen({ clock: { ...clock, settings: { kind: "days" } } })));
  ok(!canPlan(seen({ clock: { ...clock, settings: { kind: "total" } } })));
});

test("a line is said as conditions and answers", () => {
  equal(writeLine(line("a B"), 0), "If a, then B");
  equal(writeLine(line("a b C D e F"), 0), "If a b, then C D; if then e, F");
});

test("a new line replaces what it goes on from, and other answers", () => {
  const add = (/** @type {string[]} */ old, /** @type {string} */ text) =>
    addLine(old.map(line), line(text), 0).map((each) => each.map((ply) => ply.text).join(" "));
  equal(add([], "a B"), ["a B"]);
  equal(add(["a B"], "c D"), ["a B", "c D"]);
  equal(add(["a B"], "a C"), ["a C"]);
  equal(add(["a B", "c D"], "a B c D"), ["c D", "a B c D"]);
  equal(add(["a B c D"], "a B e F"), ["a B c D", "a B e F"]);
  equal(add(["a B c D"], "a B c E"), ["a B c E"]);
  equal(add(["a B"], "a B"), ["a B"]);
  equal(add(["a B c D"], "a B"), ["a B c D", "a B"]); // the server drops what is a part
});

test("planning asks for one move after the other", () => {
  const ask = (/** @type {number | null} */ to_move, /** @type {string} */ text) =>
    askForMore(seen(), seen({ to_move }), line(text));
  equal(ask(1, ""), "Plan: what might Seat 1 play?");
  equal(ask(0, "a"), "Plan: choose your answer");
  equal(ask(0, "a B"), "Plan: finish your turn");
  equal(ask(1, "a B"), "Plan: save this line, or go on with what Seat 1 might play then");
  equal(ask(null, "a B"), "Plan: save this line");
  equal(ask(null, "a"), "Plan: the game would be over");
});

test("what came true is told, and what was played by hand is not", () => {
  const before = seen();
  const after = seen({ ply: 3, moves: [...before.moves, ...line("a B")] });
  equal(tellPlanned(before, after, [line("a B c D")]), "Played as you planned: B.");
  equal(tellPlanned(before, after, [line("c D")]), "");
  equal(tellPlanned(before, before, [line("a B")]), "");
});
