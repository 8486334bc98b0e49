// Under a mouse, what would come to stand on a cell: the piece that was chosen, or one of the seat to
// move as it looks on the board already; a ring where none can be had.

import { draw, findCell } from "./picture.js";

/** @import { Pointing } from "./pointing.js" */

const RING = 13;

export class Hovering {
  /** @param {Pointing} board */
  constructor(board) {
    this.board = board;
    /** @type {SVGElement | null} */
    this.ghost = null;
    board.box.addEventListener("pointermove", ({ pointerType, target, buttons }) => {
      const isOver = pointerType === "mouse" && buttons === 0 && target instanceof Element;
      this.show(isOver ? findCell(target) : null);
    });
    board.box.addEventListener("pointerleave", () => this.show(null));
  }

  /** @param {string | null} cell */
  show(cell) {
    const { board } = this;
    if (cell && this.ghost?.isConnected && this.ghost.getAttribute("data-cell") === cell) return;
    this.ghost?.remove();
    this.ghost = null;
    const place = board.scene.cells.get(cell ?? "");
    if (!cell || !place || !board.offered.mine || board.scene.pieces.has(cell)) return;
    if (board.selection.ready || !board.next().includes(board.findPart(cell))) return;
    const piece = this.findPiece();
    const ghost = /** @type {SVGElement} */ (piece?.cloneNode(true) ?? draw("circle", { r: RING }));
    ghost.removeAttribute("id");
    ghost.setAttribute("class", piece ? "ghost hover" : "ghost hover ring");
    ghost.setAttribute("data-cell", cell);
    ghost.setAttribute("transform", `translate(${place.x} ${place.y})`);
    board.picture?.append(ghost);
    this.ghost = ghost;
  }

  /** A piece that leans would say more than is known yet. */
  findPiece() {
    const { selection, offered, picture } = this.board;
    const from = selection.chosen.at(-1);
    const owner = `.piece.seat-${offered.seat}:not([data-facing])`;
    return picture?.querySelector(from ? `.piece[id$="piece-${from}"]` : owner);
  }
}
