// A move that is chosen ahead on a board: shown, given up, and played as soon as that is possible.

import { t } from "../lib/texts.js";
import { planAhead, tryAhead } from "./ahead.js";
import { findWay, listWays } from "./parts.js";
import { drawAhead, drawHandles } from "./picture.js";

/** @import { Pointing } from "./pointing.js" */

const PLANNED = t("Chosen ahead: it is played when your turn comes. Point at it again to cancel.");
const NOT_NOW = t("What you chose ahead cannot be played now.");

export class Planning {
  /** @param {Pointing} board */
  constructor(board) {
    this.board = board;
    /** @type {readonly string[]} */
    this.path = [];
  }

  get isPossible() {
    return !this.board.offered.mine && (this.board.page.ahead?.() ?? false);
  }

  get isEmpty() {
    return this.path.length === 0;
  }

  clear() {
    this.path = [];
  }

  /** @param {string} part */
  point(part) {
    const { board } = this;
    if (!this.isPossible) return;
    this.path = planAhead(this.path, part, board.offered.legal);
    board.decorate();
    board.page.changed?.();
    if (!this.isEmpty) board.page.tell?.(PLANNED);
  }

  /** @param {string} cell */
  findPart(cell) {
    return findWay(this.board.scene, this.board.offered, this.path, cell);
  }

  /** Something else may be done now: it is played, or gone on with, or dropped with a word. */
  review() {
    const { board, path } = this;
    if (this.isEmpty || this.isPossible) return;
    this.clear();
    const { mine, legal } = board.offered;
    const { move, chosen } = tryAhead(path, mine ? legal : []);
    if (move && !board.isTiny) board.play(move);
    else if (chosen.length) board.choose({ chosen, ready: move });
    else board.page.tell?.(NOT_NOW);
  }

  /** @param {Element} picture */
  show(picture) {
    const { offered, scene } = this.board;
    const [first, second] = this.path;
    if (first === undefined) return;
    drawAhead(picture, scene, this.path, offered.directions);
    if (second !== undefined) return;
    drawHandles(picture, scene.cells.get(first), listWays(offered), offered.directions);
  }
}
