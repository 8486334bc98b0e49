// The evaluation over a game: what every seat could expect after each move, one above the other,
// with the mistakes marked. Clicks and arrow keys go to moves.

import { draw } from "../../board/picture.js";
import { t } from "../../lib/texts.js";
import { describeChances } from "./thoughts.js";

/** @import { Inks, ReviewedPly, SeatTitle } from "../../lib/types.js" */

const [WIDTH, HEIGHT] = [320, 120];
/** @type {Record<string, number>} */
const STEPS = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

export class Graph {
  /**
   * @param {HTMLElement} box
   * @param {(ply: number) => unknown} go
   */
  constructor(box, go) {
    this.box = box;
    this.at = 0;
    /** @type {ReviewedPly[]} */
    this.plies = [];
    /** @type {SeatTitle[]} */
    this.seats = [];
    /** @type {number[][]} by ply */
    this.chances = [];
    /** @type {Element[]} */
    this.cursor = [];
    box.tabIndex = 0;
    box.setAttribute("role", "slider");
    box.setAttribute("aria-label", t("Evaluation over the game"));
    box.addEventListener("click", (event) => {
      const { left, width } = box.getBoundingClientRect();
      go(Math.round(((event.clientX - left) / width) * this.plies.length));
    });
    box.addEventListener("keydown", (event) => {
      const goal = this.findGoal(event.key);
      if (goal === null) return;
      event.preventDefault();
      event.stopPropagation();
      go(goal);
    });
  }

  /**
   * The ply that a key leads to; null for any other key.
   *
   * @param {string} key
   */
  findGoal(key) {
    if (key === "Home") return 0;
    if (key === "End") return this.plies.length;
    const step = STEPS[key];
    return step ? Math.max(0, Math.min(this.plies.length, this.at + step)) : null;
  }

  /**
   * @param {ReviewedPly[]} plies at least one
   * @param {SeatTitle[]} seats
   * @param {Inks} inks
   */
  show(plies, seats, inks) {
    this.plies = plies;
    this.seats = seats;
    this.chances = [plies[0]?.best_chances ?? [], ...plies.map((ply) => ply.chances)];
    this.cursor = ["halo cursor", "cursor"].map((name) =>
      draw("line", { class: name, y1: 0, y2: HEIGHT }),
    );
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
    svg.append(...this.drawAreas(inks), ...this.drawMistakes(), ...this.cursor);
    this.box.replaceChildren(svg);
    this.box.hidden = false;
    this.box.setAttribute("aria-valuemin", "0");
    this.box.setAttribute("aria-valuemax", String(plies.length));
    this.point(this.at);
  }

  /**
   * The shares of the seats, one above the other, and lines at even shares.
   *
   * @param {Inks} inks
   */
  drawAreas(inks) {
    const drawn = [];
    let below = this.chances.map(() => 1);
    for (const { seat } of [...this.seats].reverse()) {
      const above = below;
      below = above.map((top, i) => top - (this.chances[i]?.[seat] ?? 0));
      const upper = above.map((share, i) => `${this.x(i)} ${this.y(share)}`);
      const lower = below.map((share, i) => `${this.x(i)} ${this.y(share)}`).reverse();
      const [fill = "", stroke = ""] = inks[seat] ?? [];
      const points = [...upper, ...lower].join(" ");
      drawn.push(draw("polygon", { points, fill, stroke, "stroke-width": 0.75 }));
    }
    const count = this.seats.length;
    for (const share of [1 / count, (count - 1) / count]) {
      const y = this.y(share);
      drawn.push(draw("line", { class: "even", x1: 0, x2: WIDTH, y1: y, y2: y }));
    }
    return drawn;
  }

  drawMistakes() {
    return this.plies.flatMap((ply, i) => {
      if (!ply.mark) return [];
      const x = this.x(i + 1);
      const place = { x1: x, x2: x, y1: 0, y2: HEIGHT };
      const name = ply.mark === "??" ? "mistake grave" : "mistake";
      return [draw("line", { class: "halo", ...place }), draw("line", { class: name, ...place })];
    });
  }

  /**
   * Mark the move that is looked at; null if it is none of the game's.
   *
   * @param {number | null} at
   */
  point(at) {
    const isSeen = at !== null && at <= this.plies.length;
    for (const line of this.cursor) line.setAttribute("visibility", isSeen ? "visible" : "hidden");
    if (!isSeen || !this.plies.length) return;
    this.at = at;
    for (const line of this.cursor) {
      line.setAttribute("x1", this.x(at));
      line.setAttribute("x2", this.x(at));
    }
    const ply = this.plies[at - 1];
    const move = ply ? `${ply.turn} ${ply.move}` : t("start");
    const words = describeChances(this.chances[at] ?? [], this.seats);
    this.box.setAttribute("aria-valuenow", String(at));
    this.box.setAttribute("aria-valuetext", `${move}: ${words}`);
  }

  /** @param {number} ply */
  x(ply) {
    return ((ply / this.plies.length) * WIDTH).toFixed(1);
  }

  /** @param {number} share */
  y(share) {
    return ((1 - share) * HEIGHT).toFixed(1);
  }
}
