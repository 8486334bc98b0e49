import { readScene, show } from "static/board/picture.js";
import { Pointing } from "static/board/pointing.js";
import { make } from "static/lib/page.js";
import { equal, ok, settle, test } from "./testing.js";

/** @import { LegalMove, PreviewDocument } from "static/lib/types.js" */

const CELLS = { a1: "20 60", a2: "60 60", b1: "20 20", b2: "60 20" };

/**
 * A board of four cells.
 *
 * @param {string} pieces
 */
function draw(pieces = "", prefix = "") {
  const cells = Object.entries(CELLS).map(
    ([name, place]) =>
      `<rect id="${prefix}cell-${name}" class="cell" transform="translate(${place})"
        x="-20" y="-20" width="40" height="40"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" width="80" height="80">
    <g class="cells">${cells.join("")}</g><g>${pieces}</g></svg>`;
}

const PIECE =
  '<use id="piece-a1" class="piece thing seat-1" data-facing="ne" transform="translate(20 60) rotate(-60)"/>';
const LEGAL = [
  { move: "a1-e", path: ["a1", "e"] },
  { move: "a1-n", path: ["a1", "n"] },
  { move: "b1-b2", path: ["b1", "b2"] },
  { move: "pass", path: ["pass"] },
];
const OFFER = {
  legal: LEGAL,
  directions: { e: [40, 0], n: [0, -40] },
  seats: [
    { seat: 0, title: "One" },
    { seat: 1, title: "Two" },
  ],
  mine: true,
};

/** @param {Partial<import("static/board/pointing.js").Page>} page */
function makeBoard(page = {}) {
  const box = make("div", { id: "board", tabIndex: 0 });
  box.style.width = "200px"; // all of it is in sight
  const choices = make("div");
  document.body.replaceChildren(box, choices);
  /** @type {string[]} */
  const played = [];
  const play = (/** @type {LegalMove} */ { move }) => void played.push(move);
  const board = new Pointing(box, { play, choices, ...page });
  board.rest(draw(PIECE));
  board.offer(OFFER);
  return { board, box, choices, played };
}

/**
 * @param {Element} element
 * @param {string} type
 */
function press(element, type) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const [clientX, clientY] = [x + width / 2, y + height / 2];
  const event = { clientX, clientY, bubbles: true, isPrimary: true, button: 0 };
  element.dispatchEvent(new PointerEvent(type, event));
}

/**
 * @param {HTMLElement} box
 * @param {string} from a cell or a handle
 * @param {string} to
 */
async function drag(box, from, to) {
  const find = (/** @type {string} */ name) => {
    const found = box.querySelector(`#cell-${name}, [data-way="${name}"]`);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  press(find(from), "pointerdown");
  press(find(to), "pointerup");
  await settle();
}

/**
 * @param {HTMLElement} box
 * @param {...string} names
 */
async function tap(box, ...names) {
  for (const name of names) await drag(box, name, name);
}

test("a picture is read as a scene, whatever its ids begin with", () => {
  const box = make("div");
  show(box, draw(PIECE.replace('id="', 'id="left-'), "left-"));
  const picture = box.querySelector("svg");
  ok(picture && !picture.hasAttribute("width") && picture.getAttribute("aria-hidden") === "true");
  const { cells, pieces } = readScene(/** @type {Element} */ (picture));
  equal([...cells.keys()], Object.keys(CELLS));
  equal(cells.get("b2"), { x: 60, y: 20, turn: 0 });
  equal(pieces.get("a1"), {
    kind: "thing",
    seat: 1,
    facing: "ne",
    place: { x: 20, y: 60, turn: -60 },
  });
});

test("what is no picture is not shown", () => {
  const box = make("div", {}, "as before");
  show(box, "<html>Bad gateway");
  equal(box.textContent, "as before");
});

test("a move is made by pointing at its parts", async () => {
  const { box, played } = makeBoard();
  await tap(box, "a1", "e");
  equal(played, ["a1-e"]);
});

test("a cell stands for the direction towards it", async () => {
  const { board, box, played } = makeBoard();
  await tap(box, "a1");
  board.cursor.moveTo("b1"); // a handle is in the way of pointers
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  equal(played, ["a1-n"]);
});

test("a drag makes a move, and one that leads nowhere is refused", async () => {
  /** @type {string[][]} */
  const refused = [];
  const { box, played } = makeBoard({ refused: (path) => refused.push(path) });
  await drag(box, "b1", "b2");
  await drag(box, "b1", "a2");
  equal(played, ["b1-b2"]);
  equal(refused, [["b1", "a2"]]);
});

test("what is no cell is a button", () => {
  const { choices, played } = makeBoard();
  equal(choices.textContent, "pass");
  choices.querySelector("button")?.click();
  equal(played, ["pass"]);
});

test("nothing is chosen while it is not our turn", async () => {
  const { board, box, choices } = makeBoard();
  board.offer({ ...OFFER, mine: false });
  await tap(box, "a1");
  ok(!board.isChoosing);
  ok(!box.classList.contains("mine"));
  equal(choices.children.length, 0);
  equal(box.querySelectorAll(".hint").length, 0);
});

test("hints mark where a move may start, handles which way it may go", async () => {
  const { box } = makeBoard();
  equal(box.querySelectorAll(".hint").length, 2);
  equal(box.querySelectorAll(".hint.ring").length, 1);
  await tap(box, "a1");
  equal(box.querySelectorAll(".hint").length, 0);
  const ways = [...box.querySelectorAll(".handle")].map((each) => each.getAttribute("data-way"));
  equal(ways, ["e", "n"]);
});

test("no hints where every empty cell would have one", () => {
  const { board, box } = makeBoard();
  const legal = ["a2", "b1", "b2"].map((name) => ({ move: name, path: [name] }));
  board.offer({ ...OFFER, legal });
  equal(box.querySelectorAll(".hint").length, 0);
});

test("a move waits to be confirmed, and Escape gives it up", async () => {
  /** @type {string[][]} */
  const chosen = [];
  const changed = () => chosen.push([...board.selection.chosen]);
  const { board, box, played } = makeBoard({ confirming: () => true, changed });
  await tap(box, "a1", "e");
  equal([played, board.selection.ready?.move], [[], "a1-e"]);
  equal(chosen, [["a1"], ["a1", "e"]]);
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  ok(!board.isChoosing);
  await tap(box, "a1", "e");
  board.confirm();
  equal(played, ["a1-e"]);
});

test("a second tap towards a direction confirms a move that waits", async () => {
  const { box, played } = makeBoard({ confirming: () => true });
  await tap(box, "a1", "n");
  equal(played, []);
  await tap(box, "b1");
  equal(played, ["a1-n"]);
});

test("what was chosen is previewed and told", async () => {
  /** @type {string[]} */
  const said = [];
  const found = { svg: draw(), words: "two ways to go on", complete: false, next: [] };
  const page = {
    preview: async () => found,
    speak: (/** @type {string} */ text) => said.push(text),
  };
  const { box } = makeBoard(page);
  await tap(box, "a1");
  await settle();
  equal(said, ["two ways to go on"]);
  equal(box.querySelectorAll(".piece").length, 0);
});

test("a preview that something else has overtaken is given up", async () => {
  /** @type {AbortSignal[]} */
  const signals = [];
  const preview = (/** @type {string[]} */ _, /** @type {AbortSignal} */ signal) => {
    signals.push(signal);
    return /** @type {Promise<null>} */ (new Promise(() => {}));
  };
  const { box, board } = makeBoard({ preview });
  await tap(box, "a1", "b1"); // which is the direction n: a whole move
  equal(
    signals.map(({ aborted }) => aborted),
    [true],
  );
  await tap(box, "b1");
  board.cancel();
  equal(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});

test("a preview that comes too late is not shown", async () => {
  /** @type {((found: PreviewDocument) => void)[]} */
  const arrive = [];
  const preview = () =>
    new Promise((/** @type {(found: PreviewDocument) => void} */ done) => arrive.push(done));
  const { board, box } = makeBoard({ preview });
  await tap(box, "a1");
  board.cancel();
  arrive[0]?.({ svg: draw(), words: "", complete: false, next: [] });
  await settle();
  equal(box.querySelectorAll(".piece").length, 1);
});

test("a preview that fails leaves the board as it is", async () => {
  const preview = () => Promise.reject(new TypeError("Failed to fetch"));
  const { board, box } = makeBoard({ preview });
  await tap(box, "a1");
  await settle();
  equal(board.selection.chosen, ["a1"]);
  equal(box.querySelectorAll(".piece").length, 1);
});

test("what is pointed at while a move is on its way counts afterwards", async () => {
  /** @type {(() => void)[]} */
  const arrive = [];
  /** @type {string[]} */
  const played = [];
  const play = (/** @type {LegalMove} */ { move }) => {
    played.push(move);
    return new Promise((/** @type {(value: void) => void} */ done) => arrive.push(done));
  };
  const { board, box } = makeBoard({ play });
  await drag(box, "b1", "b2");
  await tap(box, "a1");
  ok(!board.isChoosing);
  board.offer({ ...OFFER, legal: [{ move: "a1", path: ["a1"] }] }); // it is a whole move now
  for (const done of arrive) done();
  await settle();
  equal(played, ["b1-b2", "a1"]);
});

test("a press elsewhere or by another finger points at nothing", () => {
  const { box, board } = makeBoard();
  const cell = /** @type {Element} */ (box.querySelector("#cell-a1"));
  press(cell, "pointerup");
  press(cell, "pointerdown");
  document.dispatchEvent(new PointerEvent("pointercancel"));
  press(cell, "pointerup");
  ok(!board.isChoosing);
});

test("by keyboard: arrows move and tell, Enter chooses", () => {
  /** @type {string[]} */
  const said = [];
  const { box, board } = makeBoard({ speak: (text) => said.push(text) });
  const key = (/** @type {string} */ name) => {
    const event = new KeyboardEvent("keydown", { key: name, cancelable: true });
    box.dispatchEvent(event);
    return event.defaultPrevented;
  };
  ok(!key("ArrowLeft"), "nowhere yet");
  box.focus();
  equal(box.querySelector(".cursor")?.getAttribute("data-cell"), "b1");
  ok(key("ArrowDown"));
  equal(said, ["a1, Two thing, leaning north-east"]);
  ok(key("Enter"));
  equal(board.selection.chosen, ["a1"]);
  ok(!key("x"));
  box.blur();
  equal(box.querySelector(".cursor"), null);
});

test("the cursor is of the keyboard alone", async () => {
  const { box } = makeBoard();
  await tap(box, "a1");
  box.focus();
  press(/** @type {Element} */ (box.querySelector("#cell-b1")), "pointerdown");
  equal(box.querySelectorAll(".cursor").length, 0);
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp" }));
  equal(box.querySelectorAll(".cursor").length, 1);
});

test("a board that is turned is not gone through piece by piece", () => {
  const { board, box } = makeBoard();
  const turned = draw(PIECE.replace("20 60", "60 20")).replaceAll(
    /(id="cell-\w+" class="cell" transform="translate)\((\d+) (\d+)\)/g,
    (_, start, x, y) => `${start}(${80 - x} ${80 - y})`,
  );
  board.rest(turned);
  equal(board.scene.cells.get("a1"), { x: 60, y: 20, turn: 0 });
  equal(box.querySelector("#piece-a1")?.getAnimations().length, 0);
});

test("a picture that is there already is not drawn anew", () => {
  const { board, box } = makeBoard();
  const before = box.querySelector("svg");
  board.rest(draw(PIECE));
  ok(box.querySelector("svg") === before);
  board.empty();
  equal([box.childElementCount, board.scene.cells.size], [0, 0]);
});

test("while something is chosen a new picture waits", async () => {
  const { board, box } = makeBoard();
  await tap(box, "a1");
  board.rest(draw());
  equal(box.querySelectorAll(".piece").length, 1);
  board.cancel();
  equal(box.querySelectorAll(".piece").length, 0);
});
