// How the reader likes pages: what was chosen here, and else what the system asks for.

import { findAll } from "./page.js";
import { readJson, writeJson } from "./storage.js";

/**
 * @typedef {object} Look
 * @property {"system" | "light" | "dark"} theme
 * @property {string} board the style of boards, unless it is the usual one
 * @property {string} pieces theirs
 * @property {boolean} coordinates
 */

const LOOK = "skerry:look";
const system = window.matchMedia("(prefers-color-scheme: dark)");

export const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether boards are drawn by night; says so whenever that changes, as a media query does. */
class Dark extends EventTarget {
  constructor() {
    super();
    this.was = this.matches;
    const notice = () => {
      if (this.matches === this.was) return;
      this.was = this.matches;
      this.dispatchEvent(new Event("change"));
    };
    system.addEventListener("change", notice);
    document.addEventListener("look", notice);
  }

  get matches() {
    const chosen = document.documentElement.dataset.theme ?? "system";
    return chosen === "system" ? system.matches : chosen === "dark";
  }
}

export const dark = new Dark();

/** @returns {import("./types.js").Theme} */
export function theme() {
  return dark.matches ? "dark" : "light";
}

/**
 * A theme with the styles of boards and pieces, for pictures that style sheets do not reach.
 *
 * @param {string} name
 */
export function addStyles(name = theme()) {
  const { board, pieces } = readLook();
  return [name, board, pieces].filter(Boolean).join("+");
}

/**
 * Ask for the pictures of a part of the page in the chosen style.
 *
 * @param {ParentNode} within
 */
export function stylePictures(within = document) {
  for (const picture of findAll('img[src*="theme="]', within, HTMLImageElement)) {
    const address = new URL(picture.src);
    const now = address.searchParams.get("theme") ?? "";
    const wished = addStyles(now.split("+")[0] ?? now);
    if (wished === now) continue;
    address.searchParams.set("theme", wished);
    picture.src = address.href;
  }
}

/** @returns {Look} */
export function readLook() {
  const found = readJson(LOOK);
  const kept = found && typeof found === "object" ? { ...found } : {};
  return { theme: "system", board: "", pieces: "", coordinates: true, ...kept };
}

/** Give the page the look that is remembered; look.js did so when it was opened. */
function applyLook() {
  document.dispatchEvent(new CustomEvent("look", { detail: readLook() }));
}

/** @param {Look} look */
export function keepLook(look) {
  writeJson(LOOK, look);
  applyLook();
}

window.addEventListener("storage", (event) => {
  if (event.key === LOOK) applyLook();
});
