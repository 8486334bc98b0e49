import {
  hasCompany,
  nameSeat,
  noteOnSwap,
  noteOnWarming,
  sayHowItEnded,
  sayWhatToDo,
  tellMoves,
  tellNews,
} from "static/pages/game/words.js";
import { seat, seen } from "./fakes.js";
import { equal, ok, test } from "./testing.js";

const REST = { chosen: 0, isReady: false, viewing: null };
const mine = { to_move: 0, prompts: ["choose a thing", "choose a place"] };

test("the sentence follows what is chosen", () => {
  const game = seen(mine);
  equal(sayWhatToDo(game, REST), "Your turn: choose a thing");
  equal(sayWhatToDo(game, { ...REST, chosen: 1 }), "Your turn: choose a place");
  equal(sayWhatToDo(game, { ...REST, chosen: 2, isReady: true }), "Your turn: confirm the move");
  equal(sayWhatToDo(seen({ ...mine, yours: [0, 1] }), REST), "Seat 0 to move: choose a thing");
});

test("others are waited for by their names", () => {
  equal(sayWhatToDo(seen(), REST), "Waiting for Seat 1");
  equal(sayWhatToDo(seen({ yours: [] }), REST), "Seat 1 to move");
  const ann = seen({ seats: [seat(0), seat(1, { who: "Ann" })] });
  equal(sayWhatToDo(ann, REST), "Waiting for Ann");
  const free = seen({ seats: [seat(0), seat(1, { claimed: false })] });
  equal(sayWhatToDo(free, REST), "Waiting for somebody to play Seat 1");
  const open = seen({ words: "Waiting for a bot", seats: [seat(0), seat(1, { kind: "open" })] });
  equal(sayWhatToDo(open, REST), "Waiting for a bot");
  equal(nameSeat(undefined), "");
});

test("an engine thinks, or warms up first", () => {
  const engine = { thinking: true, seats: [seat(0), seat(1, { who: "Level 3" })] };
  equal(sayWhatToDo(seen({ ...engine, engine: "ready" }), REST), "Level 3 is thinking …");
  equal(sayWhatToDo(seen({ ...engine, engine: "warming" }), REST), "Level 3 is warming up …");
  const note = noteOnWarming(seen({ ...engine, engine: "warming", readiness: 40 }));
  equal(note, "The engine gets ready for this board, once on a new server: 40 %.");
  equal(noteOnWarming(seen({ ...engine, engine: "ready" })), "");
  equal(noteOnWarming(seen({ engine: "warming" })), "");
});

test("the swap rule is explained while it matters", () => {
  const swap = /** @type {const} */ ("may");
  equal(noteOnSwap(seen()), "");
  const first = { swap, moves: [], to_move: 0 };
  equal(
    noteOnSwap(seen(first)),
    "Swap rule: after the first turn the other player may change sides.",
  );
  equal(
    noteOnSwap(seen({ ...first, yours: [1] })),
    "Swap rule: after the first turn you may change sides.",
  );
  equal(
    noteOnSwap(seen({ swap })),
    "Swap rule: Seat 1 may take over Seat 0 and the move just made.",
  );
  equal(
    noteOnSwap(seen({ swap, yours: [1] })),
    "Swap rule: you may take over Seat 0 and the move just made.",
  );
  equal(noteOnSwap(seen({ swap: "done" })), "The seats were swapped: you play Seat 0 now.");
  equal(noteOnSwap(seen({ swap: "done", yours: [] })), "The seats were swapped.");
  equal(noteOnSwap(seen({ swap, to_move: null })), "");
  const move = { ply: 2, seat: 1, text: "b1", path: ["b1"] };
  equal(noteOnSwap(seen({ swap, moves: [...seen().moves, move] })), "");
  const choice = { ...mine, can: ["swap"] };
  equal(sayWhatToDo(seen(choice), REST), "Your turn: swap seats, or choose a thing");
});

test("a past position is no live one", () => {
  equal(sayWhatToDo(seen(), { ...REST, viewing: 0 }), "Looking back: move 0 of 1");
  const turn = sayWhatToDo(seen(mine), { ...REST, viewing: 0 });
  equal(turn, "Looking back: move 0 of 1; it is your turn");
});

test("winners, losers and those who watch hear of the end in their own way", () => {
  const outcome = { winner: 0, returns: [1, -1], score: [5, 3], reason: "Seat 0 wins 5-3" };
  const end = (/** @type {object} */ more) => sayHowItEnded(seen({ to_move: null, ...more }));
  equal(end({ outcome }), "You won 5-3");
  equal(end({ outcome, yours: [1] }), "You lost: Seat 0 wins 5-3");
  equal(end({ outcome, yours: [] }), "Seat 0 wins 5-3");
  equal(end({ outcome, yours: [0, 1] }), "Seat 0 wins 5-3");
  const flag = { ...outcome, score: null, reason: "Seat 1 ran out of time: Seat 0 wins" };
  equal(end({ outcome: flag }), "You won: Seat 1 ran out of time");
  equal(end({ outcome: flag, yours: [1] }), "You lost: you ran out of time");
  const tie = { ...outcome, score: [4, 4], reason: "4-4 is a tie; then Seat 0 wins" };
  equal(end({ outcome: tie }), "You won: 4-4 is a tie; then Seat 0 wins");
  equal(end({ outcome: { ...outcome, winner: null, reason: "draw: enough" } }), "Draw: enough");
});

test("moves of others are told, and one's own are known", () => {
  const before = seen({ ply: 0, moves: [] });
  equal(tellMoves(before, seen()), "");
  equal(tellMoves(before, seen({ yours: [1] })), "Seat 0 played a1");
  const leans = { ply: 1, seat: 0, text: "d4-ne", path: ["d4", "ne"] };
  equal(tellMoves(before, seen({ yours: [1], moves: [leans] })), "Seat 0 played d4 north-east");
});

test("whoever leaves, and whatever is said, is told beside the board", () => {
  const gone = seen({ seats: [seat(0), seat(1, { left: "Ann", who: "Level 3 for Ann" })] });
  equal(tellNews(seen(), gone), "Seat 1 has left: Level 3 plays on.");
  equal(tellNews(seen({ yours: [1] }), gone), "You have left: Level 3 plays on.");
  equal(tellNews(gone, gone), "");
  const talk = seen({ chat: [{ n: 4, name: "Ann", text: "hello", at: 0 }] });
  equal(tellNews(seen(), talk), "Ann: hello");
  equal(tellNews(talk, talk), "");
  equal(tellNews(seen({ yours: [] }), talk), ""); // it was said before we sat down
});

test("nobody talks to engines or to oneself", () => {
  ok(hasCompany(seen()));
  ok(!hasCompany(seen({ yours: [0, 1] })));
  ok(!hasCompany(seen({ seats: [seat(0), seat(1, { kind: "level:1" })] })));
});
