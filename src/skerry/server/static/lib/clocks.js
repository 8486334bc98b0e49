// Clocks in words.

/** @typedef {{ kind?: unknown, seconds?: unknown, increment?: unknown, days?: unknown }} Clock */

const MINUTE = 60; // seconds

/** @param {number} seconds */
function formatSpan(seconds) {
  return seconds >= MINUTE && seconds % MINUTE === 0 ? `${seconds / MINUTE} min` : `${seconds} s`;
}

/**
 * What a clock gives to everybody.
 *
 * @param {Clock | null} clock
 */
export function describeClock(clock) {
  if (!clock) return "no clock";
  const [seconds, days] = [Number(clock.seconds), Number(clock.days)];
  if (clock.kind === "days") return days === 1 ? "1 day a move" : `${days} days a move`;
  if (clock.kind === "move") return `${formatSpan(seconds)} a move`;
  return clock.increment
    ? `${formatSpan(seconds)} + ${clock.increment} s`
    : `${formatSpan(seconds)} in all`;
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
