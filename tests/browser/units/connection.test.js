import { Live } from "static/lib/live.js";
import { Engine } from "static/pages/study/engine.js";
import { FakeSocket, FakeTime, replacing } from "./fakes.js";
import { equal, ok, test } from "./testing.js";

/**
 * A live connection, and what its page hears of it.
 *
 * @param {(heard: unknown[], live: Live<unknown>, time: FakeTime) => unknown} run
 */
async function whileLive(run) {
  /** @type {unknown[]} */
  const heard = [];
  const live = new Live("/api/games/g1/live", {
    greet: () => ({ type: "hello" }),
    hear: (message) => heard.push(message),
    notice: (isLost) => heard.push(isLost ? "lost" : "found"),
  });
  await FakeSocket.during(() =>
    FakeTime.during((time) =>
      replacing(
        Math,
        "random",
        () => 0.5,
        () => run(heard, live, time),
      ),
    ),
  );
}

test("a connection greets as soon as it is open, and hears", async () => {
  await whileLive((heard, live) => {
    live.connect();
    const socket = FakeSocket.newest;
    ok(socket.address.startsWith("ws"), socket.address);
    ok(socket.address.endsWith("/api/games/g1/live"), socket.address);
    live.greet();
    equal(socket.sent, []); // nobody is there yet
    socket.open();
    equal(socket.sent, [{ type: "hello", hidden: false }]);
    socket.say({ type: "game" });
    equal(heard, ["found", { type: "game" }]);
  });
});

test("a page that is hidden or shown again says so", async () => {
  await whileLive(async (_, live) => {
    live.connect();
    FakeSocket.newest.open();
    const change = () => document.dispatchEvent(new Event("visibilitychange"));
    await replacing(document, "hidden", true, change);
    change();
    equal(
      FakeSocket.newest.sent.map((/** @type {any} */ { hidden }) => hidden),
      [false, true, false],
    );
  });
});

test("a lost connection comes back after pauses that grow", async () => {
  await whileLive(async (heard, live, time) => {
    live.connect();
    const pauses = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      FakeSocket.newest.close();
      pauses.push(time.next);
      await time.pass(time.next ?? 0);
    }
    equal(pauses, [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    equal(FakeSocket.made.length, 8);
    FakeSocket.newest.open();
    equal(FakeSocket.newest.sent, [{ type: "hello", hidden: false }]);
    equal(heard.at(-1), "found");
    FakeSocket.newest.close();
    equal([heard.at(-1), time.next], ["lost", 500]);
  });
});

test("pauses differ from browser to browser", async () => {
  await whileLive(async (_, live, time) => {
    await replacing(
      Math,
      "random",
      () => 0,
      () => {
        live.connect();
        FakeSocket.newest.close();
      },
    );
    equal(time.next, 375);
  });
});

/** @param {(engine: Engine, told: unknown[]) => unknown} run */
async function withEngine(run) {
  /** @type {unknown[]} */
  const told = [];
  const engine = new Engine(
    (message) => told.push(message),
    (words) => told.push(words),
  );
  await FakeSocket.during(() => run(engine, told));
}

/** @type {import("static/lib/types.js").Trial} */
const TRIAL = { game: "any", options: {}, start: "", moves: [], theme: "light" };

test("the engine is asked as soon as its connection is open", async () => {
  await withEngine((engine) => {
    engine.analyse(TRIAL);
    engine.analyse({ ...TRIAL, moves: ["a1"] }); // in the place of the first
    equal(FakeSocket.made.length, 1);
    FakeSocket.newest.open();
    equal(FakeSocket.newest.sent, [{ type: "analyse", ...TRIAL, moves: ["a1"], n: 2 }]);
    engine.review("s1");
    equal(FakeSocket.newest.sent.at(-1), { type: "review", study: "s1", n: 3 });
  });
});

test("what the engine says about an older question is dropped", async () => {
  await withEngine((engine, told) => {
    engine.analyse(TRIAL);
    FakeSocket.newest.open();
    engine.analyse(TRIAL);
    FakeSocket.newest.say({ type: "progress", n: 1 });
    FakeSocket.newest.say({ type: "progress", n: 2 });
    equal(told, [{ type: "progress", n: 2 }]);
    engine.stop();
    FakeSocket.newest.say({ type: "progress", n: 2 });
    equal(told.length, 1);
    equal(FakeSocket.newest.sent.at(-1), { type: "stop" });
  });
});

test("an engine that is lost says why, and is connected to anew when asked", async () => {
  await withEngine((engine, told) => {
    engine.analyse(TRIAL);
    FakeSocket.newest.open();
    FakeSocket.newest.say({ type: "error", n: 1, error: "too much" });
    FakeSocket.newest.close();
    equal(told, ["too much", "The engine cannot be reached; try again in a moment."]);
    engine.analyse(TRIAL);
    equal(FakeSocket.made.length, 2);
    FakeSocket.newest.close("one at a time");
    equal(told.at(-1), "one at a time");
  });
});

test("what waited for a connection is not asked after it was stopped", async () => {
  await withEngine((engine) => {
    engine.analyse(TRIAL);
    engine.stop();
    FakeSocket.newest.open();
    equal(FakeSocket.newest.sent, []);
  });
});
