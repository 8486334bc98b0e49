// The tree of a study, without the DOM: what was played, what could have been, and what is said
// about it. The first child of a node goes on with its line, the others are variations.

/** @import { Annotations, Line, LineMove } from "../../lib/types.js" */

/**
 * @typedef {object} Node
 * @property {string} move
 * @property {number | null} seat whose move it is
 * @property {number} turn
 * @property {string[]} comments
 * @property {Annotations} said
 * @property {string[]} intro what is said before a variation begins
 * @property {Node[]} children
 * @property {Node | null} parent
 */

/**
 * What is said of a move beside words, as far as anything is.
 *
 * @param {LineMove} ply
 * @returns {Annotations}
 */
function annotationsOf({ mark, left, spent }) {
  return {
    ...(mark === undefined ? {} : { mark }),
    ...(left === undefined ? {} : { left }),
    ...(spent === undefined ? {} : { spent }),
  };
}

export class Tree {
  /** @param {Line} line */
  constructor(line) {
    /** @type {Node} */
    this.root = {
      move: "",
      seat: null,
      turn: 0,
      comments: line.comments ?? [],
      said: {},
      intro: [],
      children: [],
      parent: null,
    };
    this.read(line, this.root);
  }

  /**
   * @param {Line} line
   * @param {Node} start
   */
  read(line, start) {
    let at = start;
    for (const [number, ply] of line.moves.entries()) {
      const node = this.add(at, ply);
      node.comments = [...node.comments, ...(ply.comments ?? [])];
      node.said = { ...annotationsOf(ply), ...node.said };
      if (number === 0 && start !== this.root && line.comments) node.intro = line.comments;
      for (const variation of ply.variations ?? []) this.branch(variation, at);
      at = node;
    }
  }

  /**
   * @param {Line} line
   * @param {Node} at
   */
  branch(line, at) {
    const known = new Set(at.children);
    this.read(line, at);
    const fresh = at.children.find((child) => !known.has(child));
    if (fresh) fresh.intro = line.comments ?? [];
  }

  /**
   * The child of a node for a move, a new one if there is none yet.
   *
   * @param {Node} parent
   * @param {{ move: string, seat?: number | null, turn?: number }} ply
   * @returns {Node}
   */
  add(parent, { move, seat = null, turn }) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = {
      move,
      seat,
      turn: turn ?? (parent.seat === seat ? parent.turn : parent.turn + 1),
      comments: [],
      said: {},
      intro: [],
      children: [],
      parent,
    };
    parent.children.push(node);
    return node;
  }

  /**
   * The moves that lead to a node.
   *
   * @param {Node} node
   */
  moves(node) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) moves.unshift(at.move);
    return moves;
  }

  /**
   * The node that moves lead to, or the last one on the way that there is.
   *
   * @param {string[]} moves
   */
  find(moves) {
    let at = this.root;
    for (const move of moves) at = at.children.find((child) => child.move === move) ?? at;
    return at;
  }

  mainLine() {
    const nodes = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) nodes.push(at);
    return nodes;
  }

  /**
   * The end of the line that a node is on.
   *
   * @param {Node} node
   */
  end(node) {
    let at = node;
    for (let next = at.children[0]; next; next = at.children[0]) at = next;
    return at;
  }

  /**
   * The variation beside a node: what could be played instead.
   *
   * @param {Node} node
   * @param {number} step 1 for the next one, -1 for the one before
   */
  beside(node, step) {
    const family = node.parent?.children ?? [];
    return family[family.indexOf(node) + step] ?? node;
  }

  /**
   * Where the variation that a node belongs to leaves another line, or null in the main line.
   *
   * @param {Node} node
   * @returns {Node | null}
   */
  start(node) {
    for (let at = node; at.parent; at = at.parent) {
      if (at.parent.children[0] !== at) return at;
    }
    return null;
  }

  /**
   * Let a variation change places with the line that it leaves.
   *
   * @param {Node} node
   */
  promote(node) {
    const start = this.start(node);
    if (!start?.parent) return;
    const { children } = start.parent;
    children.splice(children.indexOf(start), 1);
    children.unshift(start);
  }

  /**
   * Take a node away with all that follows; the node before it.
   *
   * @param {Node} node
   */
  remove(node) {
    const { parent } = node;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /**
   * The tree as a line of a record.
   *
   * @returns {Line}
   */
  toLine() {
    return { comments: this.root.comments, moves: this.follow(this.root) };
  }

  /**
   * @param {Node} start
   * @returns {LineMove[]}
   */
  follow(start) {
    const moves = [];
    for (let at = start; at.children[0]; at = at.children[0]) {
      const [main, ...others] = at.children;
      const variations = others.map((other) => ({
        comments: other.intro,
        moves: [
          { move: other.move, ...other.said, comments: other.comments },
          ...this.follow(other),
        ],
      }));
      moves.push({ move: main.move, ...main.said, comments: main.comments, variations });
    }
    return moves;
  }
}
