// Two fingers on a board zoom into it and pan; a double tap shows all of it again. The picture keeps
// its size on the page: what changes is the part of it that is seen.

const MOST = 5;
const DOUBLE = 280; // milliseconds between two taps that belong together
const NEAR = 30; // pixels between them

/** @typedef {{ x: number, y: number }} Point */

export class Zoom {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.scale = 1;
    this.corner = { x: 0, y: 0 }; // the upper left one of what is seen, in units of the picture
    /** @type {{ spread: number, scale: number, held: Point, unit: number, origin: Point } | null} */
    this.pinch = null;
    /** @type {{ at: Point, timer: number } | null} a tap that may be the first of two */
    this.tapped = null;
    for (const type of /** @type {const} */ (["touchstart", "touchmove", "touchend"])) {
      box.addEventListener(type, (event) => this.feel(event), { passive: false });
    }
  }

  get isZoomed() {
    return this.scale > 1;
  }

  /**
   * Do what a tap means. On a board that is zoomed into a second tap may follow, which takes it back.
   *
   * @param {Point} at
   * @param {() => void} act
   */
  tap(at, act) {
    const { tapped } = this;
    this.tapped = null;
    clearTimeout(tapped?.timer);
    if (tapped && measure(tapped.at, at) < NEAR) return void this.reset();
    if (!this.isZoomed) return void act();
    const timer = window.setTimeout(() => {
      this.tapped = null;
      act();
    }, DOUBLE);
    this.tapped = { at, timer };
  }

  reset() {
    this.scale = 1;
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
