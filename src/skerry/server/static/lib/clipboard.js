// Texts for the clipboard, and the code by which other sites show a board of ours.

import { findSite, make } from "./page.js";
import { t } from "./texts.js";

const COPIED = t("Copied");
const [WIDTH, HEIGHT] = [480, 560]; // pixels of a frame

/**
 * Copy a text, and say so on the button that asked for it.
 *
 * @param {string} text
 * @param {HTMLElement} button
 */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyOldWay(text); // without https there is no clipboard
  }
  button.textContent = COPIED;
}

/** @param {string} text */
function copyOldWay(text) {
  const field = make("textarea", { value: text, className: "spoken", readOnly: true });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/**
 * The markup that shows one of our pages within another.
 *
 * @param {string} path
 * @param {string} title
 */
export function writeFrame(path, title) {
  const frame = make("iframe", { title, width: String(WIDTH), height: String(HEIGHT) });
  frame.src = `${findSite()}${path}?embed`;
  frame.loading = "lazy";
  frame.style.border = "0";
  return frame.outerHTML;
}
