// What the reader's system asks for: boards by night, and nothing that moves.

export const dark = window.matchMedia("(prefers-color-scheme: dark)");
export const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {import("./types.js").Theme} */
export function theme() {
  return dark.matches ? "dark" : "light";
}
