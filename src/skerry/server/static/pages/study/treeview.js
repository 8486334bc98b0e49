// The tree of a study on the page: every move a button, variations and comments between them, gone
// through by buttons and arrow keys.

import { findAll, make, makeButton, readData } from "../../lib/page.js";
import { t } from "../../lib/texts.js";

/** @import { Node, Tree } from "./tree.js" */

/** @type {Record<string, (tree: Tree, here: Node) => Node>} */
const WAYS = {
  first: (tree) => tree.root,
  back: (_, here) => here.parent ?? here,
  on: (_, here) => here.children[0] ?? here,
  last: (tree, here) => tree.end(here),
  up: (tree, here) => tree.beside(here, -1),
  down: (tree, here) => tree.beside(here, 1),
};
/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};
const KEPT_TO_THEMSELVES = "input, textarea, select, #board, #graph"; // arrow keys mean more there
const EMPTY = t("No moves yet: play some on the board.");

/**
 * Write a tree into a box; the buttons by node. `marks` are what a review says of nodes.
 *
 * @param {HTMLElement} box
 * @param {Tree} tree
 * @param {Map<Node, string>} marks
 * @param {(node: Node) => unknown} go
 */
export function renderTree(box, tree, marks, go) {
  /** @type {Map<Node, HTMLButtonElement>} */
  const buttons = new Map();
  box.replaceChildren();
  writeComments(box, tree.root.comments);
  writeLine(tree.root, box);
  if (!buttons.size) writeComments(box, [EMPTY]);
  return buttons;

  /**
   * @param {Node} start
   * @param {HTMLElement} into
   */
  function writeLine(start, into) {
    for (let at = start; at.children[0]; at = at.children[0]) {
      const [main, ...others] = at.children;
      writePly(main, into);
      for (const other of others) {
        const block = make("div", { className: "variation" });
        writeComments(block, other.intro);
        writePly(other, block);
        writeLine(other, block);
        into.append(block);
      }
    }
  }

  /**
   * @param {Node} node
   * @param {HTMLElement} into
   */
  function writePly(node, into) {
    const number = make("small", {}, `${node.turn}.`);
    const button = makeButton([number], () => go(node), { className: `ply seat-${node.seat}` });
    button.append(` ${node.move}${node.said.mark ?? ""}`);
    const mark = marks.get(node);
    if (mark) button.append(make("b", {}, mark));
    buttons.set(node, button);
    into.append(button, " ");
    writeComments(into, node.comments);
  }
}

/**
 * Scroll the moves, and nothing else, until one is seen.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement} button
 */
export function reveal(list, button) {
  const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/**
 * @param {HTMLElement} box
 * @param {string[]} comments
 */
function writeComments(box, comments) {
  for (const comment of comments) {
    box.append(make("span", { className: "comment" }, comment), " ");
  }
}

/**
 * @param {() => { tree: Tree, here: Node }} look
 * @param {(node: Node) => unknown} go
 */
export function listenToNavigation(look, go) {
  const follow = (/** @type {string} */ name) => {
    const { tree, here } = look();
    go(WAYS[name]?.(tree, here) ?? here);
  };
  for (const button of findAll("[data-go]")) {
    button.addEventListener("click", () => follow(readData(button, "go")));
  }
  document.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!way || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest(KEPT_TO_THEMSELVES)) return;
    event.preventDefault();
    follow(way);
  });
}
