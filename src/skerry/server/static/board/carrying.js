// A drag that is seen: the piece, or a line where a direction is given, follows the pointer.

import { draw } from "./picture.js";

/** @import { Scene } from "./scene.js" */

const SLACK = 6; // pixels that a press may wander

export class Carrying {
  /**
   * @param {HTMLElement} box
   * @param {() => Scene} look
   * @param {(cell: string) => boolean} canCarry whether a move may go on from a cell
   */
  constructor(box, look, canCarry) {
    this.box = box;
    this.look = look;
    this.canCarry = canCarry;
    /** @type {{ cell: string, x: number, y: number } | null} where it began */
    this.pressed = null;
    /** @type {SVGElement | null} */
    this.ghost = null;
    document.addEventListener("pointermove", (event) => this.follow(event));
    // A finger that carries something does not scroll the page.
    const hold = (/** @type {TouchEvent} */ event) => this.pressed && event.preventDefault();
    box.addEventListener("touchmove", hold, { passive: false });
  }

  /**
   * @param {string | null} cell
   * @param {PointerEvent} event
   */
  press(cell, { clientX: x, clientY: y }) {
    this.drop();
    if (cell && this.canCarry(cell)) this.pressed = { cell, x, y };
  }

  /** @param {PointerEvent} event */
  follow({ clientX, clientY, isPrimary }) {
    const picture = this.box.querySelector("svg");
    const matrix = picture?.getScreenCTM();
    if (!this.pressed || !isPrimary || !picture || !matrix) return;
    const { cell, x, y } = this.pressed;
    if (!this.ghost && Math.hypot(clientX - x, clientY - y) < SLACK) return;
    if (!this.ghost?.isConnected) this.lift(picture, cell);
    this.place(new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()), cell);
  }

  /**
   * @param {Element} picture
   * @param {string} cell
   */
  lift(picture, cell) {
    const piece = picture.querySelector(`.piece[id$="piece-${cell}"]`);
    const ghost = /** @type {SVGElement} */ (piece?.cloneNode(true) ?? draw("line", {}));
    ghost.removeAttribute("id");
    ghost.setAttribute("class", piece ? "ghost" : "ghost aim");
    piece?.classList.add("lifted");
    picture.append(ghost);
    this.ghost = ghost;
  }

  /**
   * @param {{ x: number, y: number }} to
   * @param {string} cell
   */
  place({ x, y }, cell) {
    const { cells, pieces } = this.look();
    const turn = pieces.get(cell)?.place.turn;
    const from = cells.get(cell);
    if (!this.ghost || !from) return;
    const ends = { x1: from.x, y1: from.y, x2: x, y2: y };
    const where = turn === undefined ? ends : { transform: `translate(${x} ${y}) rotate(${turn})` };
    for (const [name, value] of Object.entries(where)) this.ghost.setAttribute(name, `${value}`);
  }

  drop() {
    this.pressed = null;
    this.ghost?.remove();
    this.ghost = null;
    for (const lifted of this.box.querySelectorAll(".lifted")) lifted.classList.remove("lifted");
  }
}
