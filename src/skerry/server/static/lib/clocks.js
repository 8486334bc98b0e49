// Clocks in words.

import { t, tn } from "./texts.js";

/** @typedef {{ kind?: unknown, seconds?: unknown, increment?: unknown, days?: unknown }} Clock */

const MINUTE = 60; // seconds

/** @param {number} seconds */
function formatSpan(seconds) {
  const isWhole = seconds >= MINUTE && seconds % MINUTE === 0;
  return isWhole ? t("{n} min", { n: seconds / MINUTE }) : t("{n} s", { n: seconds });
}

/**
 * What a clock gives to everybody.
 *
 * @param {Clock | null} clock
 */
export function describeClock(clock) {
  if (!clock) return t("no clock");
  const [seconds, days] = [Number(clock.seconds), Number(clock.days)];
  if (clock.kind === "days") return tn("{n} day a move", "{n} days a move", days);
  if (clock.kind === "move") return t("{time} a move", { time: formatSpan(seconds) });
  return clock.increment
    ? t("{time} + {seconds} s", { time: formatSpan(seconds), seconds: Number(clock.increment) })
    : t("{time} in all", { time: formatSpan(seconds) });
}

/**
 * A clock as the lobby counts who waits for it.
 *
 * @param {Clock | null} clock
 */
export function writeClock(clock) {
  const parts = Object.entries(clock ?? {}).map(([name, value]) => `${name}=${value}`);
  return parts.sort().join(",");
}
