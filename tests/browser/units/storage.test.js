import { listFinished, markFinished } from "static/lib/progress.js";
import {
  adoptSecret,
  keepSecret,
  remember,
  secretsOf,
  shareableSecrets,
} from "static/lib/secrets.js";
import { readJson, readText, writeText } from "static/lib/storage.js";
import { replacing, withoutStorage } from "./fakes.js";
import { equal, test } from "./testing.js";

test("what was written is read again", () => {
  writeText("k", "words");
  equal(readText("k"), "words");
  equal(localStorage.getItem("k"), "words");
});

test("what was never written, or is no JSON, is null", () => {
  equal(readText("never"), null);
  equal(readJson("never"), null);
  localStorage.setItem("broken", "{");
  equal(readJson("broken"), null);
});

test("without storage the page remembers for itself", async () => {
  await withoutStorage(() => {
    equal(readText("private"), null);
    writeText("private", "here");
    equal(readText("private"), "here");
    remember("game1", ["secret"]);
    equal(secretsOf("game1"), ["secret"]);
    markFinished("lessons", "private", "first");
    equal([...listFinished("lessons", "private")], ["first"]);
  });
});

test("full storage loses nothing while the page is open", async () => {
  writeText("k", "old");
  const storage = window.localStorage;
  const full = {
    getItem: (/** @type {string} */ key) => storage.getItem(key),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  await replacing(window, "localStorage", full, () => {
    writeText("k", "new");
    equal(readText("k"), "new");
  });
  writeText("k", "newer"); // there is room again
  equal(readText("k"), "newer");
  equal(localStorage.getItem("k"), "newer");
});

test("storage that a blocked access throws at is none", async () => {
  const own = Object.getOwnPropertyDescriptor(window, "localStorage");
  Object.defineProperty(window, "localStorage", {
    configurable: true,
    get() {
      throw new DOMException("blocked", "SecurityError");
    },
  });
  try {
    writeText("blocked", "kept");
    equal(readText("blocked"), "kept");
    equal(readText("other"), null);
  } finally {
    if (own) Object.defineProperty(window, "localStorage", own);
  }
});

test("secrets are lists of texts, whatever was stored", () => {
  equal(secretsOf("unknown"), []);
  localStorage.setItem("skerry:odd", '{"not": "a list"}');
  equal(secretsOf("odd"), []);
  localStorage.setItem("skerry:mixed", '["good", 7, null]');
  equal(secretsOf("mixed"), ["good"]);
  equal(shareableSecrets("unknown"), {});
});

test("a secret moves from the address into the browser", () => {
  remember("game2", ["mine"], { 1: "theirs" });
  history.replaceState(null, "", "/g/game2#s=abc-DEF_1");
  adoptSecret("game2");
  equal(location.hash, "");
  equal(secretsOf("game2"), ["mine", "abc-DEF_1"]);
  equal(shareableSecrets("game2"), { 1: "theirs" });
  adoptSecret("game2");
  equal(secretsOf("game2"), ["mine", "abc-DEF_1"]);
});

test("one's own invitation is not taken, but told of", () => {
  remember("game4", ["mine"], { 0: "mine", 1: "theirs" });
  history.replaceState(null, "", "/g/game4#s=theirs");
  equal(adoptSecret("game4"), "theirs");
  equal(location.hash, "");
  equal(secretsOf("game4"), ["mine"]);
  keepSecret("game4", "theirs");
  equal(secretsOf("game4"), ["mine", "theirs"]);
  history.replaceState(null, "", "/g/game4#s=theirs");
  equal(adoptSecret("game4"), null);
});

test("an address with anything else behind the # is left alone", () => {
  history.replaceState(null, "", "/g/game3#p=12");
  adoptSecret("game3");
  equal(location.hash, "#p=12");
  equal(secretsOf("game3"), []);
});

test("progress is counted by game and subject", () => {
  markFinished("puzzles", "any", 3);
  markFinished("puzzles", "any", 3);
  markFinished("puzzles", "other", 4);
  equal([...listFinished("puzzles", "any")], [3]);
  equal(listFinished("lessons", "any").size, 0);
  localStorage.setItem("skerry:puzzles:odd", "7");
  equal(listFinished("puzzles", "odd").size, 0);
});
