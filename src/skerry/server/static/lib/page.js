// Finding, making and marking what is on a page.

/**
 * An element of the page, by its id. The templates promise that it is there.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [type]
 * @returns {T}
 */
export function $(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? HTMLElement))) throw new Error(`the page lacks #${id}`);
  return /** @type {T} */ (found);
}

/** Where others find this site: at the address that its operator gave, or at the one we are at. */
export function findSite() {
  return document.documentElement.dataset.site ?? location.origin;
}

/**
 * All elements that a selector finds, within a part of the page.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @param {new () => T} [type]
 * @returns {T[]}
 */
export function findAll(selector, within = document, type) {
  const wanted = type ?? HTMLElement;
  const found = [...within.querySelectorAll(selector)].filter((each) => each instanceof wanted);
  return /** @type {T[]} */ (/** @type {Element[]} */ (found));
}

/**
 * The first element that a selector finds, within a part of the page.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @param {new () => T} [type]
 * @returns {T}
 */
export function find(selector, within, type) {
  const [found] = findAll(selector, within, type);
  if (!found) throw new Error(`the page lacks ${selector}`);
  return found;
}

/**
 * A new element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/**
 * A new button that submits nothing.
 *
 * @param {string | Node[]} content
 * @param {(button: HTMLButtonElement) => unknown} act
 * @param {Partial<HTMLButtonElement>} properties
 */
export function makeButton(content, act, properties = {}) {
  const children = typeof content === "string" ? [content] : content;
  const button = make("button", { type: "button", ...properties }, ...children);
  button.addEventListener("click", () => act(button));
  return button;
}

/**
 * Mark the one element among several that is current, for the eye and for screen readers.
 *
 * @param {Element} element
 * @param {boolean} isCurrent
 * @param {"true" | "step"} as
 */
export function markCurrent(element, isCurrent, as = "true") {
  if (isCurrent) element.setAttribute("aria-current", as);
  else element.removeAttribute("aria-current");
}

/**
 * Say something to those who do not see the board.
 *
 * @param {string} text
 */
export function speak(text) {
  $("spoken").textContent = text;
}

/** The JSON document that a page carries. */
export function readDocument() {
  return JSON.parse($("document").textContent ?? "null");
}

/**
 * The value of a data attribute that the templates promise.
 *
 * @param {HTMLElement} element
 * @param {string} name
 * @returns {string}
 */
export function readData(element, name) {
  const value = element.dataset[name];
  if (value === undefined) throw new Error(`data-${name} is missing`);
  return value;
}

/** All is in its place: show what was hidden so that nobody sees it move. */
export function settle() {
  document.documentElement.dataset.settled = "";
}
