// The evaluation over a game: what every seat could expect after each move, one above the other,
// with the mistakes marked. Clicks and arrow keys go to moves.

import { percent } from "./engine.js";

const DRAWING = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [320, 120];

function draw(name, attributes) {
  const element = document.createElementNS(DRAWING, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export class Graph {
  constructor(box, go) {
    this.box = box;
    this.go = go;
    this.at = 0;
    box.tabIndex = 0;
    box.setAttribute("role", "slider");
    box.setAttribute("aria-label", "Evaluation over the game");
    box.addEventListener("click", (event) => {
      const { left, width } = box.getBoundingClientRect();
      go(Math.round(((event.clientX - left) / width) * this.plies.length));
    });
    box.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
      const ends = { Home: 0, End: this.plies.length };
      const goal = ends[event.key] ?? (event.key in steps ? this.at + steps[event.key] : null);
      if (goal === null) return;
      event.preventDefault();
      event.stopPropagation();
      go(Math.max(0, Math.min(this.plies.length, goal)));
    });
  }

  show(review, seats, inks) {
    this.plies = review.plies;
    this.seats = seats;
    this.chances = [review.plies[0].best_chances, ...review.plies.map((ply) => ply.chances)];
    this.box.hidden = false;
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
    let below = this.chances.map(() => 1);
    for (const { seat } of [...seats].reverse()) {
      const above = below;
      below = above.map((top, i) => top - this.chances[i][seat]);
      const upper = above.map((share, i) => `${this.x(i)} ${this.y(share)}`);
      const lower = below.map((share, i) => `${this.x(i)} ${this.y(share)}`).reverse();
      svg.append(draw("polygon", { points: [...upper, ...lower].join(" "), fill: inks[seat][0], stroke: inks[seat][1], "stroke-width": 0.75 }));
    }
    for (const share of [1 / seats.length, (seats.length - 1) / seats.length]) {
      svg.append(draw("line", { class: "even", x1: 0, x2: WIDTH, y1: this.y(share), y2: this.y(share) }));
    }
    for (const [i, ply] of this.plies.entries()) {
      if (!ply.mark) continue;
      const place = { x1: this.x(i + 1), x2: this.x(i + 1), y1: 0, y2: HEIGHT };
      svg.append(draw("line", { class: "halo", ...place }));
      svg.append(draw("line", { class: `mistake ${ply.mark === "??" ? "grave" : ""}`, ...place }));
    }
    this.cursor = ["halo cursor", "cursor"].map((name) => draw("line", { class: name, y1: 0, y2: HEIGHT }));
    svg.append(...this.cursor);
    this.box.replaceChildren(svg);
    this.box.setAttribute("aria-valuemin", 0);
    this.box.setAttribute("aria-valuemax", this.plies.length);
    this.point(this.at);
  }

  /** Mark the move that is looked at; null if it is none of the game's. */
  point(at) {
    if (!this.plies) return;
    const seen = at !== null && at <= this.plies.length;
    for (const line of this.cursor) line.setAttribute("visibility", seen ? "visible" : "hidden");
    if (!seen) return;
    this.at = at;
    for (const line of this.cursor) {
      line.setAttribute("x1", this.x(at));
      line.setAttribute("x2", this.x(at));
    }
    const ply = this.plies[at - 1];
    const said = this.seats.map((seat) => `${seat.title} ${percent(this.chances[at][seat.seat])}`);
    this.box.setAttribute("aria-valuenow", at);
    this.box.setAttribute("aria-valuetext", `${ply ? `${ply.turn} ${ply.move}` : "start"}: ${said.join(", ")}`);
  }

  x(ply) {
    return ((ply / this.plies.length) * WIDTH).toFixed(1);
  }

  y(share) {
    return ((1 - share) * HEIGHT).toFixed(1);
  }
}
