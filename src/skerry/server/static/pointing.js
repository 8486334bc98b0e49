// Boards that take moves: by mouse, touch, dragging and keyboard. The server sends legal moves as
// paths of things to point at; this script only follows them and knows no game.
//
//   const board = new Pointing(box, {
//     preview: async (path, signal) => ({ svg, words }),  // what these targets would do; may be null
//     play: async (legal) => {},    // a whole move was pointed at: one of the legal ones
//     changed: () => {},            // something else is chosen now
//     refused: (path) => {},        // no legal move begins with what was pointed at
//     speak: (text) => {},          // for those who do not see the board
//     confirming: () => false,      // whether a whole move waits to be confirmed
//     choices: element,             // gets buttons for what is no cell, such as a pass
//   });
//   board.offer({ legal, directions, seats, mine });  // what may be pointed at; nothing unless mine
//   board.rest(svg, path);                            // the picture while nothing is chosen
//
// Only play is needed; what is pointed at before it is through counts on the board that it leads to.
// `chosen` is the part of a move that was pointed at, `ready` a whole move that waits to be confirmed
// by confirm() or given up by cancel(); clear() forgets both without a picture.

import { cellAt, describe, neighbour, show, spot } from "./board.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const DRAWING = "http://www.w3.org/2000/svg";

export class Pointing {
  constructor(box, page) {
    this.box = box;
    this.page = {
      preview: async () => null,
      changed: () => {},
      refused: () => {},
      speak: () => {},
      confirming: () => false,
      choices: null,
      ...page,
    };
    this.offered = { legal: [], directions: {}, seats: [], mine: false };
    this.chosen = [];
    this.ready = null;
    this.cursor = null; // the cell that the keyboard is on
    this.drawn = ""; // the picture that is shown
    this.resting = ""; // the picture while nothing is chosen
    this.asking = null; // what the server was asked to show last
    this.pressed = null;
    this.playing = null; // a move that is on its way
    this.listen();
  }

  // --- what is shown

  offer(offered) {
    this.offered = offered;
    this.decorate();
    this.renderChoices();
  }

  rest(svg, path = []) {
    this.resting = svg;
    if (this.chosen.length === 0 && !this.ready) this.put(svg, path);
    else this.decorate();
  }

  /** Show a picture, unless it is the one that is there: presence and chat move no piece. */
  put(svg, path = []) {
    if (svg !== this.drawn) show(this.box, svg, path);
    this.drawn = svg;
    this.decorate();
  }

  clear() {
    this.asking?.abort();
    this.chosen = [];
    this.ready = null;
  }

  cancel() {
    this.choose([]);
  }

  confirm() {
    if (this.ready) this.play(this.ready);
  }

  get svg() {
    return this.box.querySelector("svg");
  }

  place(name) {
    return spot(this.svg.querySelector(`#cell-${name}`));
  }

  decorate() {
    for (const extra of this.box.querySelectorAll(".hint, .handle")) extra.remove();
    this.box.classList.toggle("mine", this.offered.mine);
    if (!this.svg) return;
    this.showCursor();
    if (!this.offered.mine || this.ready) return;
    if (this.chosen.length) this.showHandles();
    else this.showHints();
  }

  /** Where a move may start, unless that is every empty cell. */
  showHints() {
    const { svg } = this;
    const starts = this.nextParts().filter(isCell);
    const empty = svg.querySelectorAll(".cell").length - svg.querySelectorAll(".piece").length;
    if (starts.length === empty && !svg.querySelector(`#piece-${starts[0]}`)) return;
    for (const name of starts) {
      const occupied = svg.querySelector(`#piece-${name}`);
      const place = this.place(name);
      if (!place) return; // a picture from before there was a script
      this.ring(place, occupied ? "hint ring" : "hint", occupied ? 18.5 : 4);
    }
  }

  /** Handles around a chosen cell, where a direction comes next. */
  showHandles() {
    const { directions } = this.offered;
    const from = this.place(this.chosen.at(-1));
    if (!from) return;
    for (const way of this.nextParts().filter((part) => part in directions)) {
      const [dx, dy] = directions[way];
      const handle = this.ring({ x: from.x + 0.72 * dx, y: from.y + 0.72 * dy }, "handle", 13);
      handle.dataset.way = way;
    }
  }

  ring({ x, y }, name, radius) {
    const circle = document.createElementNS(DRAWING, "circle");
    circle.setAttribute("class", name);
    circle.setAttribute("cx", x);
    circle.setAttribute("cy", y);
    circle.setAttribute("r", radius);
    this.svg.append(circle);
    return circle;
  }

  /** Everything that can be chosen next and is no cell: as buttons. */
  renderChoices() {
    const parts = this.offered.mine ? this.nextParts() : [];
    this.page.choices?.replaceChildren(
      ...parts.filter((part) => !isCell(part)).map((part) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = part;
        button.addEventListener("click", () => this.settled(() => this.point(part)));
        return button;
      }),
    );
  }

  // --- making moves

  continuing(path) {
    return this.offered.legal.filter((legal) => path.every((part, i) => legal.path[i] === part));
  }

  nextParts() {
    const at = this.chosen.length;
    return [...new Set(this.continuing(this.chosen).map((legal) => legal.path[at]))].filter(Boolean);
  }

  /** Something was pointed at: go on with the move, begin another one, or give it up. */
  point(part) {
    if (!this.offered.mine) return;
    if (this.ready && part === this.ready.path.at(-1)) return void this.play(this.ready);
    const before = this.ready ? [] : this.chosen;
    this.ready = null;
    const longer = [...before, part];
    let path = [];
    if (this.continuing(longer).length) path = longer;
    else if (this.continuing([part]).length && before[0] !== part) path = [part];
    const whole = this.continuing(path).find((legal) => legal.path.length === path.length);
    if (whole && !this.page.confirming()) return void this.play(whole);
    this.choose(path, whole);
    if (path.length === 0 && before[0] !== part) this.page.refused(longer);
  }

  play(legal) {
    this.clear();
    const playing = Promise.resolve(this.page.play(legal)).finally(() => {
      if (this.playing === playing) this.playing = null;
    });
    this.playing = playing;
  }

  /** Do something as soon as no move is on its way: until then it is unknown what may be done. */
  settled(act) {
    if (this.playing) this.playing.then(() => this.settled(act));
    else act();
  }

  /** Show what was chosen so far. */
  async choose(path, whole = null) {
    this.asking?.abort();
    this.chosen = path;
    this.ready = whole;
    this.renderChoices();
    this.page.changed();
    if (path.length === 0) return void this.put(this.resting);
    this.asking = new AbortController();
    let found = null;
    try {
      found = await this.page.preview(path, this.asking.signal);
    } catch {
      return; // something else was chosen meanwhile
    }
    if (this.chosen !== path) return;
    if (found) this.put(found.svg, path);
    else this.decorate();
    if (found) this.page.speak(found.words);
  }

  /** A cell stands for the direction towards it where directions come next. */
  nextPart(cell) {
    const parts = this.nextParts();
    if (parts.includes(cell) || this.chosen.length === 0) return cell;
    const from = this.place(this.chosen.at(-1));
    const to = this.place(cell);
    const way = parts.find((part) => {
      const [dx, dy] = this.offered.directions[part] ?? [0, 0];
      return Math.hypot(from.x + dx - to.x, from.y + dy - to.y) < 5;
    });
    return way ?? cell;
  }

  // --- mouse, touch and keyboard

  listen() {
    const { box } = this;
    // A press and a release on the same thing point at it; dragging is pointing twice. Clicks would
    // not do: a browser makes none if the picture was replaced between press and release.
    box.addEventListener("pointerdown", (event) => {
      this.pressed = event.isPrimary && event.button === 0 ? this.under(event) : null;
    });
    document.addEventListener("pointercancel", () => {
      this.pressed = null;
    });
    document.addEventListener("pointerup", (event) => this.release(event));
    box.addEventListener("focus", () => {
      const cells = box.querySelectorAll("svg .cell");
      this.cursor ??= cells[Math.floor(cells.length / 2)]?.id.slice("cell-".length);
      this.showCursor();
    });
    box.addEventListener("blur", () => this.showCursor());
    box.addEventListener("keydown", (event) => {
      if (this.press(event.key)) event.preventDefault();
    });
  }

  /** The handle or the cell that is under the pointer now, or null. */
  under(event) {
    const target = document.elementFromPoint(event.clientX, event.clientY);
    if (!target || !this.box.contains(target)) return null;
    const [way, cell] = [target.dataset?.way, cellAt({ target })];
    return way || cell ? { way, cell } : null;
  }

  release(event) {
    const from = this.pressed;
    this.pressed = null;
    const to = from && this.under(event);
    if (!to) return;
    if (from.cell) this.moveCursor(to.cell ?? from.cell);
    this.settled(() => this.pointed(from, to));
  }

  pointed(from, to) {
    if (from.way === to.way && from.cell === to.cell) this.point(to.way ?? this.nextPart(to.cell));
    else if (from.cell && to.cell && this.offered.mine && !this.ready) {
      const before = this.chosen;
      this.chosen = [from.cell];
      const part = this.nextPart(to.cell);
      if (this.continuing([from.cell, part]).length) this.point(part);
      else {
        this.chosen = before;
        this.page.refused([from.cell, part]);
      }
    }
  }

  /** Whether a key meant something. */
  press(key) {
    if (key in ARROWS && this.cursor) {
      const name = neighbour(this.svg, this.cursor, ...this.turned(ARROWS[key]));
      if (name) this.moveCursor(name);
      const { seats, directions } = this.offered;
      this.page.speak(describe(this.svg, this.cursor, seats, directions));
    } else if ((key === "Enter" || key === " ") && this.cursor) {
      const { cursor } = this;
      this.settled(() => this.point(this.ready ? this.ready.path.at(-1) : this.nextPart(cursor)));
    } else if (key === "Escape") {
      this.cancel();
    } else return false;
    return true;
  }

  turned([x, y]) {
    return this.box.classList.contains("flipped") ? [-x, -y] : [x, y];
  }

  moveCursor(name) {
    this.cursor = name;
    this.showCursor();
  }

  showCursor() {
    const { svg } = this;
    if (!svg) return;
    for (const cell of svg.querySelectorAll(".cursor")) cell.classList.remove("cursor");
    if (this.cursor && document.activeElement === this.box) {
      svg.querySelector(`#cell-${this.cursor}`)?.classList.add("cursor");
    }
  }
}

/** Ask the server where moves lead, or what targets would do after them; nothing is kept. */
export async function tryOut(what, trial, signal) {
  const answer = await fetch(`/api/positions${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(trial),
    signal,
  });
  return answer.ok ? answer.json() : null;
}

function isCell(part) {
  return /^[a-z]\d+$/.test(part);
}
