import {
  findTimeLeft,
  isYours,
  listDeeds,
  listInvitations,
  listRenewable,
  noteOnOffers,
  noteOnSeat,
  placeSeats,
  writeRating,
} from "static/pages/game/state.js";
import { seat, seen } from "./fakes.js";
import { equal, ok, test } from "./testing.js";

/** @import { SeatDocument } from "static/lib/types.js" */

test("nobody's turn is not yours", () => {
  ok(isYours(seen(), 0));
  ok(!isYours(seen(), 1));
  ok(!isYours(seen({ to_move: null }), null));
});

test("seats tell who is in them", () => {
  const note = (/** @type {SeatDocument} */ one) => noteOnSeat(seen(), one);
  equal(note(seat(0)), "you");
  equal(note(seat(1)), "here");
  equal(note(seat(1, { online: false })), "away");
  equal(note(seat(1, { away: Date.UTC(2026, 11, 3, 12) })), "on vacation until 3 Dec");
  equal(note(seat(1, { claimed: false })), "open seat");
  equal(note(seat(1, { kind: "level:3" })), "level 3");
  equal(note(seat(1, { kind: "level:3", who: "Level 3" })), "");
  equal(note(seat(1, { kind: "level:3", who: "Level 3 for Ann" })), "");
  equal(note(seat(1, { kind: "bot", who: "Deep Skew" })), "bot");
});

test("ratings stand beside names, with what a game has made of them", () => {
  equal(writeRating(seat(0)), "");
  equal(writeRating(seat(0, { rating: 1512 })), "1512");
  equal(writeRating(seat(0, { rating: 1500, provisional: true })), "1500?");
  equal(writeRating(seat(0, { rating: 1512, rating_after: 1524 })), "1512 → 1524");
});

test("a player may ask, offer and resign", () => {
  const deeds = listDeeds(seen());
  ok(deeds.takeback && deeds.draw && deeds.resign);
  ok(!deeds.rematch && !deeds.analyse && !deeds.answerDraw && !deeds.answerTakeback);
  equal(deeds.takebackWords, "Ask to take back");
});

test("a spectator may do nothing", () => {
  const deeds = listDeeds(seen({ yours: [], can: [] }));
  const { takebackWords, resignWords, ...may } = deeds;
  equal(Object.values(may).filter(Boolean), []);
});

test("nobody has to be asked at one screen, or about an unfinished turn", () => {
  equal(listDeeds(seen({ yours: [0, 1] })).takebackWords, "Take back");
  equal(listDeeds(seen({ to_move: 0 })).takebackWords, "Undo");
  const engines = { seats: [seat(0), seat(1, { kind: "level:1" })] };
  equal(listDeeds(seen(engines)).takebackWords, "Take back");
});

test("whoever leaves others to play on is told what it costs", () => {
  const moves = [0, 1, 2].map((n) => ({ seat: n, ply: n, text: "", path: [""] }));
  const game = { rated: true, moves, seats: [seat(0), seat(1), seat(2)] };
  ok(listDeeds(seen(game)).resignWords.includes("it is lost"));
  for (const other of [{ rated: false }, { moves: moves.slice(1) }, { yours: [0, 1, 2] }]) {
    equal(listDeeds(seen({ ...game, ...other })).resignWords, "Resign this game?");
  }
});

test("what the server would refuse is not offered", () => {
  const deeds = listDeeds(seen({ can: ["resign"] }));
  ok(deeds.resign && !deeds.takeback && !deeds.draw);
});

test("one's own seat is below, the others above in the order in which they move", () => {
  const seats = [seat(0), seat(1), seat(2)];
  equal(placeSeats(seen({ seats, yours: [1] })), { below: 1, above: [2, 0] });
  equal(placeSeats(seen({ seats, yours: [] })), { below: 0, above: [1, 2] });
  equal(placeSeats(seen({ yours: [1] })), { below: 1, above: [0] });
  equal(placeSeats(seen({ yours: [0, 1] })), { below: 0, above: [1] });
});

test("at one screen nobody offers draws, and an offer is answered instead of made again", () => {
  ok(!listDeeds(seen({ yours: [0, 1] })).draw);
  const offered = listDeeds(seen({ can: ["offer-draw", "accept-draw", "accept-takeback"] }));
  ok(!offered.draw && offered.answerDraw && offered.answerTakeback);
});

test("a game that is over can be played again, and analysed", () => {
  const over = listDeeds(seen({ to_move: null, can: ["rematch"] }));
  ok(over.rematch && over.analyse && !over.resign && !over.draw);
  ok(!listDeeds(seen({ to_move: null, can: ["rematch"], rematch: "/g/next" })).rematch);
});

test("seats that are free are offered by whoever has their secrets", () => {
  const game = seen({ seats: [seat(0), seat(1, { claimed: false }), seat(2, { claimed: false })] });
  const found = listInvitations(game, { 0: "own", 1: "one", 2: null });
  equal(
    found.map(({ seat, secret }) => [seat.seat, secret]),
    [[1, "one"]],
  );
  equal(listInvitations(game, {}), []);
  equal(listInvitations({ ...game, yours: [1] }, { 1: "one" }), []);
});

test("the clock of whoever is to move runs, the others stand", () => {
  const clock = { settings: {}, remaining: [5000, 7000, null], running: 0, grace: 0, now: 0 };
  equal(
    [0, 1, 2].map((one) => findTimeLeft(clock, one, 1500)),
    [3500, 7000, null],
  );
  equal(findTimeLeft({ ...clock, running: null }, 0, 1500), 5000);
  equal(findTimeLeft({ ...clock, grace: 2000 }, 0, 1500), 5000); // it does not count yet
  equal(findTimeLeft({ ...clock, grace: 1000 }, 0, 1500), 4500);
});

test("whoever asked is told what became of it", () => {
  /** @type {import("static/lib/types.js").Declined[]} */
  const declined = [{ what: "draw", seat: 0, by: 1 }];
  const offers = { draw: null, takeback: 0, rematch: [], declined };
  const told = "Seat 1 declined the draw. You have asked to take your move back.";
  equal(noteOnOffers(seen({ offers })), told);
  equal(noteOnOffers(seen({ offers, yours: [1] })), "");
  const over = { to_move: null, offers: { ...offers, takeback: null } };
  equal(noteOnOffers(seen(over)), ""); // it does not matter any more
});

test("a rematch is wanted by everybody or does not begin", () => {
  const offers = { draw: null, takeback: null, rematch: [0], declined: [] };
  equal(noteOnOffers(seen({ offers })), "You want a rematch. It begins when everybody does.");
  equal(noteOnOffers(seen({ offers, yours: [1] })), "Seat 0 wants a rematch.");
  equal(noteOnOffers(seen({ offers, rematch: "/g/next" })), "");
});

test("a link is replaced until its guest plays, and once they have left", () => {
  const shareable = { 0: "a", 1: "b" };
  const list = (/** @type {object} */ more) =>
    listRenewable(seen(more), shareable).map((each) => each.seat);
  const moves = [0, 1].map((seat, n) => ({ ply: n + 1, seat, text: "a1", path: ["a1"] }));
  equal(list({}), [1]);
  equal(list({ moves }), []);
  equal(list({ moves, absent: { seat: 1, wait: 9 } }), []);
  equal(list({ moves, absent: { seat: 1, wait: 0 } }), [1]);
  equal(list({ seats: [seat(0), seat(1, { claimed: false })] }), []);
  equal(listRenewable(seen(), {}), []);
});
