// Mouse, touch and keyboard on a board: what was pressed, where the keyboard is, and what both mean.

import { Carrying } from "./carrying.js";
import { drawCursor, findCell } from "./picture.js";
import { describeCell, findNeighbour } from "./scene.js";

/** @import { Pointing } from "./pointing.js" */
/** @import { Scene } from "./scene.js" */

/** @typedef {{ way: string | null, cell: string | null }} Target a handle or a cell */

/** @type {Record<string, readonly [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Take moves from whoever uses a board.
 *
 * @param {Pointing} board
 */
export function listenToHands(board) {
  const { box, cursor, zoom } = board;
  const carrying = new Carrying(box, () => board.scene, zoom.canCarry);
  listenToPointer(box, carrying, (from, to, { pointerType, clientX, clientY }) => {
    board.isTouched = pointerType === "touch";
    if (from.cell) cursor.moveTo(to.cell ?? from.cell);
    const act = () => {
      if (from.way !== to.way || from.cell !== to.cell) {
        if (from.cell && to.cell) board.drag(from.cell, to.cell);
      } else if (to.way) board.point(to.way);
      else if (to.cell) board.point(board.findPart(to.cell));
    };
    zoom.tap({ x: clientX, y: clientY }, board.isTouched, () => board.whenSettled(act));
  });
  box.addEventListener("keydown", (event) => {
    if (type(board, event.key)) event.preventDefault();
  });
}

/**
 * Do what a key means; whether it meant something.
 *
 * @param {Pointing} board
 * @param {string} key
 */
function type(board, key) {
  const { cursor, offered, page, scene, zoom } = board;
  const { cell } = cursor;
  if (cursor.step(key)) {
    zoom.reveal(scene.cells.get(cursor.cell ?? ""));
    page.speak?.(describeCell(scene, cursor.cell ?? "", offered.seats));
  } else if ((key === "Enter" || key === " ") && cell) {
    const choose = () => board.point(board.selection.ready?.path.at(-1) ?? board.findPart(cell));
    board.whenSettled(choose);
  } else if (key === "Escape") {
    board.cancel();
  } else return false;
  return true;
}

/**
 * Hear of every press and release on a board. The same target twice points at it; two targets are a
 * drag. Clicks would not do: a browser makes none if the picture was replaced in between.
 *
 * @param {HTMLElement} box
 * @param {import("./carrying.js").Carrying} carrying
 * @param {(from: Target, to: Target, event: PointerEvent) => void} act
 */
function listenToPointer(box, carrying, act) {
  /** @type {Target | null} */
  let pressed = null;
  box.addEventListener("pointerdown", (event) => {
    pressed = event.isPrimary && event.button === 0 ? findTarget(box, event) : null;
    carrying.press(pressed?.cell ?? null, event);
  });
  document.addEventListener("pointercancel", () => {
    pressed = null;
    carrying.drop();
  });
  document.addEventListener("pointerup", (event) => {
    const from = pressed;
    pressed = null;
    carrying.drop();
    const to = from && findTarget(box, event);
    if (to) act(from, to, event);
  });
}

/**
 * The handle or the cell that is under the pointer now, or null.
 *
 * @param {HTMLElement} box
 * @param {PointerEvent} event
 * @returns {Target | null}
 */
function findTarget(box, event) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  if (!under || !box.contains(under)) return null;
  const [way, cell] = [under.getAttribute("data-way"), findCell(under)];
  return way || cell ? { way, cell } : null;
}

/** The cell that the keyboard is on; it shows while somebody uses the keyboard on the board. */
export class Cursor {
  /**
   * @param {HTMLElement} box
   * @param {() => Scene} look
   */
  constructor(box, look) {
    this.box = box;
    this.look = look;
    /** @type {string | null} */
    this.cell = null;
    this.isUsed = false;
    box.addEventListener("focus", () => {
      this.isUsed = box.matches(":focus-visible");
      const cells = [...look().cells.keys()];
      this.cell ??= cells[Math.floor(cells.length / 2)] ?? null;
      this.show();
    });
    box.addEventListener("blur", () => this.show());
    box.addEventListener("pointerdown", () => {
      this.isUsed = false; // whoever points has no use for it
      this.show();
    });
  }

  /** @param {string} cell */
  moveTo(cell) {
    this.cell = cell;
    this.show();
  }

  /**
   * Move by an arrow key; whether it was one.
   *
   * @param {string} key
   */
  step(key) {
    const arrow = ARROWS[key];
    if (!arrow || !this.cell) return false;
    this.isUsed = true;
    const found = findNeighbour(this.look(), this.cell, arrow);
    this.moveTo(found ?? this.cell);
    return true;
  }

  show() {
    const picture = this.box.querySelector("svg");
    const isShown = this.isUsed && document.activeElement === this.box;
    if (!picture) return;
    drawCursor(picture, isShown ? this.cell : null, this.look().cells.get(this.cell ?? ""));
  }
}
