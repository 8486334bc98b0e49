// Time in words, and waiting.

import { language, t } from "./texts.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]; // seconds

/**
 * What a clock shows.
 *
 * @param {number} left milliseconds
 */
export function formatClock(left) {
  const seconds = Math.ceil(left / 1000);
  const count = (/** @type {number} */ unit) => Math.floor(seconds / unit);
  if (seconds >= DAY) {
    return t("{days} d {hours} h", { days: count(DAY), hours: Math.floor((seconds % DAY) / HOUR) });
  }
  if (seconds >= HOUR) {
    const minutes = Math.floor((seconds % HOUR) / MINUTE);
    return t("{hours} h {minutes} min", { hours: count(HOUR), minutes });
  }
  return `${count(MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
}

/**
 * A day of this year, such as 3 Dec.
 *
 * @param {number} at milliseconds since 1970
 */
export function formatDay(at) {
  return new Date(at).toLocaleDateString(language(), { day: "numeric", month: "short" });
}

/**
 * Write moments as they are called where the reader is.
 *
 * @param {ParentNode} within
 */
export function writeTimes(within) {
  const style = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  for (const time of within.querySelectorAll("time[data-at]")) {
    const at = new Date(Number(time.getAttribute("data-at")));
    time.textContent = at.toLocaleString(undefined, style);
  }
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Exponential backoff: every pause is twice as long as the one before, up to the longest. */
export class Backoff {
  /**
   * @param {number} shortest milliseconds
   * @param {number} longest milliseconds
   */
  constructor(shortest, longest) {
    this.shortest = shortest;
    this.longest = longest;
    this.pause = shortest;
  }

  /** Whether something has failed since the last success. */
  get isRetrying() {
    return this.pause !== this.shortest;
  }

  /** How long to wait after a failure. */
  next() {
    const { pause } = this;
    this.pause = Math.min(2 * pause, this.longest);
    return pause;
  }

  /** It went well: the next failure is a first one again. */
  reset() {
    this.pause = this.shortest;
  }
}
