// Two fingers on a board zoom into it and pan; a double tap shows all of it again. Buttons and the keys
// + - 0 do the same, and then one finger or the mouse pans. The picture keeps its size on the page: what
// changes is the part of it that is seen.

import { findCell } from "./picture.js";
import { NEIGHBOURS } from "./scene.js";

const MOST = 5;
const STEP = 1.5; // of a button or a key
const SLACK = 6; // pixels that a press may wander
/** @type {Record<string, Way>} */
const KEYS = { "+": "in", "=": "in", "-": "out", 0: "whole" };
const DOUBLE = 280; // milliseconds between two taps that belong together
const NEAR = 30; // pixels between them

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {"in" | "out" | "whole"} Way */

export class Zoom {
  /**
   * @param {HTMLElement} box
   * @param {(cell: string) => boolean} canCarry whether a drag from a cell is a move
   */
  constructor(box, canCarry) {
    this.box = box;
    this.canCarry = canCarry;
    this.scale = 1;
    this.corner = { x: 0, y: 0 }; // the upper left one of what is seen, in units of the picture
    /** @type {{ spread: number, scale: number, held: Point, unit: number, origin: Point } | null} */
    this.pinch = null;
    /** @type {{ from: Point, corner: Point, unit: number, isFar: boolean } | null} */
    this.pan = null;
    /** @type {{ at: Point, timer: number } | null} a tap that may be the first of two */
    this.tapped = null;
    for (const type of /** @type {const} */ (["touchstart", "touchmove", "touchend"])) {
      box.addEventListener(type, (event) => this.feel(event), { passive: false });
    }
    box.addEventListener("pointerdown", (event) => this.grasp(event));
    document.addEventListener("pointermove", (event) => this.shift(event));
    box.addEventListener("keydown", ({ key, altKey, ctrlKey, metaKey }) => {
      const way = KEYS[key];
      if (way && !altKey && !ctrlKey && !metaKey) this.go(way);
    });
  }

  get isZoomed() {
    return this.scale > 1;
  }

  /**
   * Do what a press means, unless it has moved the board. Where a finger has tapped on a board that is
   * zoomed into a second tap may follow, which takes it back.
   *
   * @param {Point} at
   * @param {boolean} isTouch
   * @param {() => void} act
   */
  tap(at, isTouch, act) {
    const { tapped } = this;
    this.tapped = null;
    clearTimeout(tapped?.timer);
    if (this.pan?.isFar) return;
    if (tapped && measure(tapped.at, at) < NEAR) return void this.go("whole");
    if (!this.isZoomed || !isTouch) return void act();
    const timer = window.setTimeout(() => {
      this.tapped = null;
      act();
    }, DOUBLE);
    this.tapped = { at, timer };
  }

  /**
   * Go nearer to what is in the middle, or farther from it.
   *
   * @param {Way} way
   */
  go(way) {
    const picture = this.box.querySelector("svg");
    const whole = picture && readWhole(picture);
    if (!picture || !whole) return;
    const [, , width = 0, height = 0] = whole;
    const seen = picture.viewBox.baseVal;
    const scale = way === "in" ? this.scale * STEP : this.scale / STEP;
    this.scale = way === "whole" ? 1 : clamp(scale, 1, MOST);
    this.corner = {
      x: seen.x + (seen.width - width / this.scale) / 2,
      y: seen.y + (seen.height - height / this.scale) / 2,
    };
    this.apply();
  }

  /**
   * See to it that a place is seen, with what is around it.
   *
   * @param {Point | undefined} place
   */
  reveal(place) {
    const seen = this.box.querySelector("svg")?.viewBox.baseVal;
    if (!this.isZoomed || !place || !seen) return;
    const [x, y] = [place.x - NEIGHBOURS, place.y - NEIGHBOURS];
    this.corner = {
      x: clamp(seen.x, x + 2 * NEIGHBOURS - seen.width, x),
      y: clamp(seen.y, y + 2 * NEIGHBOURS - seen.height, y),
    };
    this.apply();
  }

  /** Show the part of the picture that is looked at; a new picture knows nothing of it. */
  apply() {
    const picture = this.box.querySelector("svg");
    const whole = picture && readWhole(picture);
    if (!picture || !whole) return;
    const [left = 0, top = 0, width = 0, height = 0] = whole;
    const [wide, high] = [width / this.scale, height / this.scale];
    const x = clamp(this.corner.x, left, left + width - wide);
    const y = clamp(this.corner.y, top, top + height - high);
    this.corner = { x, y };
    picture.setAttribute("viewBox", [x, y, wide, high].join(" "));
    this.box.classList.toggle("zoomed", this.isZoomed);
  }

  /** @param {PointerEvent} event */
  grasp({ target, isPrimary, button, clientX: x, clientY: y }) {
    const matrix = this.box.querySelector("svg")?.getScreenCTM();
    const cell = target instanceof Element ? findCell(target) : null;
    this.pan = null;
    if (!this.isZoomed || !matrix || !isPrimary || button !== 0) return;
    if (cell && this.canCarry(cell)) return;
    this.pan = { from: { x, y }, corner: this.corner, unit: matrix.a, isFar: false };
  }

  /** @param {PointerEvent} event */
  shift({ isPrimary, buttons, clientX: x, clientY: y }) {
    const { pan } = this;
    if (!pan || !isPrimary || buttons === 0 || this.pinch) return;
    pan.isFar ||= measure(pan.from, { x, y }) > SLACK;
    if (!pan.isFar) return;
    this.corner = {
      x: pan.corner.x - (x - pan.from.x) / pan.unit,
      y: pan.corner.y - (y - pan.from.y) / pan.unit,
    };
    this.apply();
  }

  /** @param {TouchEvent} event */
  feel(event) {
    const [one, two] = event.touches;
    if (!one || !two) {
      this.pinch = null;
      return;
    }
    if (event.cancelable) event.preventDefault(); // neither scroll nor zoom the page
    const [a, b] = [one, two].map(({ clientX, clientY }) => ({ x: clientX, y: clientY }));
    if (!a || !b) return;
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    this.pan = null;
    if (this.pinch) this.stretch(measure(a, b), middle);
    else this.begin(measure(a, b), middle);
  }

  /**
   * @param {number} spread
   * @param {Point} middle
   */
  begin(spread, middle) {
    const matrix = this.box.querySelector("svg")?.getScreenCTM();
    if (!matrix || !spread) return;
    const { x, y } = new DOMPoint(middle.x, middle.y).matrixTransform(matrix.inverse());
    const viewed = this.box.querySelector("svg")?.viewBox.baseVal;
    const corner = { x: viewed?.x ?? 0, y: viewed?.y ?? 0 };
    this.pinch = {
      spread,
      scale: this.scale,
      held: { x, y },
      unit: matrix.a / this.scale,
      origin: { x: matrix.e + corner.x * matrix.a, y: matrix.f + corner.y * matrix.d },
    };
  }

  /**
   * What was between the fingers stays there.
   *
   * @param {number} spread
   * @param {Point} middle
   */
  stretch(spread, middle) {
    if (!this.pinch) return;
    const { held, unit, origin } = this.pinch;
    this.scale = clamp((this.pinch.scale * spread) / this.pinch.spread, 1, MOST);
    const pixels = unit * this.scale;
    this.corner = {
      x: held.x - (middle.x - origin.x) / pixels,
      y: held.y - (middle.y - origin.y) / pixels,
    };
    this.apply();
  }
}

/**
 * Left, top, width and height of all of a picture, whatever of it is seen.
 *
 * @param {SVGSVGElement} picture
 */
function readWhole(picture) {
  const whole = picture.dataset.whole ?? picture.getAttribute("viewBox");
  if (!whole) return null;
  picture.dataset.whole = whole;
  return whole.split(" ").map(Number);
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function measure(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
