import { DEBOUNCE, Keeper } from "static/pages/study/keeper.js";
import { FakeTime } from "./fakes.js";
import { equal, ok, settle, test } from "./testing.js";

/** @import { StudyEdit } from "static/lib/types.js" */

const UNREACHABLE = { error: "cannot be reached" };

/** A page with a title, a server that answers in turn, and a note of all that happened. */
function makeBench(/** @type {string | null} */ id = "s1") {
  /** @type {any[]} */
  const answers = [];
  /** @type {StudyEdit[]} */
  const sent = [];
  /** @type {unknown[]} */
  const noted = [];
  const page = { title: "title" };
  const keeper = new Keeper(
    { id, version: 4 },
    {
      read: () => ({ title: page.title, line: { comments: [], moves: [] } }),
      create: async (title) => {
        noted.push(["create", title]);
        return answers.shift() ?? { id: "copy", url: "/study/copy", secret: "s" };
      },
      change: async (at, edit) => {
        sent.push(edit);
        noted.push(["change", at]);
        return answers.shift() ?? { version: edit.version + 1 };
      },
      made: (made) => noted.push(["made", made.id]),
      tell: (status) => noted.push(status),
      say: (error) => noted.push(["say", error]),
      conflict: (theirs) => noted.push(["conflict", theirs.version]),
    },
  );
  return { answers, keeper, noted, page, sent };
}

/** An answer that arrives when told to. */
function defer() {
  /** @type {(answer: object) => void} */
  let arrive = () => {};
  const promise = new Promise((done) => {
    arrive = done;
  });
  return { promise, arrive };
}

test("changes are sent together, a little later", async () => {
  await FakeTime.during(async (time) => {
    const { keeper, noted, sent } = makeBench();
    keeper.note();
    await time.pass(DEBOUNCE - 1);
    keeper.note();
    await time.pass(DEBOUNCE - 1);
    ok(keeper.isBehind);
    equal(sent.length, 0);
    await time.pass(1);
    equal(noted, ["waiting", "waiting", ["change", "s1"], "kept"]);
    equal(sent[0]?.version, 4);
    ok(keeper.isKept && keeper.version === 5);
  });
});

test("a change while others are on their way is kept only afterwards", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, noted } = makeBench();
    const late = defer();
    answers.push(late.promise);
    keeper.note();
    const saving = keeper.save();
    await settle();
    keeper.note();
    late.arrive({ version: 5 });
    await saving;
    ok(!keeper.isKept);
    equal(noted.includes("kept"), false);
    await time.pass(DEBOUNCE);
    ok(keeper.isKept);
    equal(noted.at(-1), "kept");
  });
});

test("what could not be sent is sent again after pauses that grow", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, noted } = makeBench();
    answers.push(UNREACHABLE, UNREACHABLE, UNREACHABLE);
    keeper.note();
    const pauses = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      pauses.push(time.next);
      await time.pass(time.next ?? 0);
    }
    equal(pauses, [DEBOUNCE, 1000, 2000, 4000]);
    equal(noted.slice(-3), [["change", "s1"], ["say", ""], "kept"]); // the complaint is withdrawn
    ok(keeper.isKept);
  });
});

test("a change after a failure is sent at once, not after the pause", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, sent } = makeBench();
    answers.push(UNREACHABLE, UNREACHABLE, UNREACHABLE);
    keeper.note();
    for (const pause of [DEBOUNCE, 1000, 2000]) await time.pass(pause);
    keeper.note();
    equal(time.next, DEBOUNCE);
    await time.pass(DEBOUNCE);
    equal(sent.length, 4);
    ok(keeper.isKept);
  });
});

test("a change while a failure is on its way is sent at once as well", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper } = makeBench();
    const late = defer();
    answers.push(UNREACHABLE, late.promise);
    keeper.note();
    await time.pass(DEBOUNCE);
    await time.pass(1000);
    keeper.note();
    late.arrive(UNREACHABLE);
    await settle();
    equal(time.next, DEBOUNCE);
  });
});

test("an answer that was lost is no conflict", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, noted, sent } = makeBench();
    const ours = { version: 5, title: "title", line: { comments: [], moves: [] } };
    answers.push(UNREACHABLE, { error: "somebody was faster", study: ours });
    keeper.note();
    await time.pass(DEBOUNCE);
    await time.pass(1000);
    equal(
      sent.map(({ version }) => version),
      [4, 4, 5],
    );
    equal(noted.at(-1), "kept");
    equal(
      noted.filter((each) => Array.isArray(each) && each[0] === "conflict"),
      [],
    );
  });
});

test("what somebody else has changed is a conflict, and is not sent again", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, noted } = makeBench();
    const theirs = { id: "s1", version: 5, title: "theirs", line: { moves: [] } };
    answers.push(UNREACHABLE, { error: "somebody was faster", study: theirs });
    keeper.note();
    await time.pass(DEBOUNCE);
    await time.pass(1000);
    equal(noted.slice(-2), ["failed", ["conflict", 5]]);
    equal(time.next, null);
    ok(keeper.isBehind);
    keeper.adopt(theirs);
    ok(keeper.isKept && keeper.version === 5);
  });
});

test("a draft becomes a study with the first change", async () => {
  await FakeTime.during(async (time) => {
    const { keeper, noted, sent } = makeBench(null);
    ok(!keeper.isKept);
    keeper.note();
    await time.pass(DEBOUNCE);
    equal(noted, ["waiting", ["create", "title"], ["made", "copy"], ["change", "copy"], "kept"]);
    equal(sent[0]?.version, 0);
    ok(keeper.isKept);
  });
});

test("a draft that could not be made is made later", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, noted } = makeBench(null);
    answers.push(UNREACHABLE);
    keeper.note();
    await time.pass(DEBOUNCE);
    equal(noted.slice(-2), [["say", "cannot be reached"], "failed"]);
    await time.pass(1000);
    ok(keeper.isKept);
  });
});

test("a copy that could not be made is not made by itself", async () => {
  await FakeTime.during(async (time) => {
    const { answers, keeper, noted } = makeBench();
    answers.push(UNREACHABLE);
    await keeper.saveCopy();
    equal(noted.slice(-2), ["failed", ["say", "cannot be reached"]]);
    equal([keeper.id, time.next], ["s1", null]);
    await keeper.saveCopy();
    equal(keeper.id, "copy");
  });
});

test("what is saved twice is sent one after the other", async () => {
  const { keeper, sent } = makeBench();
  keeper.note();
  const saving = [keeper.save(), keeper.save()];
  await settle();
  await Promise.all(saving);
  equal(
    sent.map(({ version }) => version),
    [4, 5],
  );
});
