// The tree of a study: what was played, what could have been, and what is said about it.
// The first child of a node goes on with its line, the others are variations.

export class Tree {
  constructor(line) {
    this.root = { move: "", seat: null, turn: 0, comments: line.comments ?? [], intro: [], children: [], parent: null };
    this.read(line, this.root);
  }

  read(line, start) {
    let at = start;
    for (const [number, ply] of line.moves.entries()) {
      const node = this.add(at, ply);
      node.comments = [...node.comments, ...(ply.comments ?? [])];
      if (number === 0 && start !== this.root && line.comments) node.intro = line.comments;
      for (const variation of ply.variations ?? []) this.branch(variation, at);
      at = node;
    }
  }

  branch(line, at) {
    const known = new Set(at.children);
    this.read(line, at);
    const first = at.children.find((child) => !known.has(child));
    if (first) first.intro = line.comments ?? [];
  }

  /** The child of a node for a move, a new one if there is none yet. */
  add(parent, { move, seat, turn }) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = {
      move,
      seat,
      turn: turn ?? (parent.seat === seat ? parent.turn : parent.turn + 1),
      comments: [],
      intro: [],
      children: [],
      parent,
    };
    parent.children.push(node);
    return node;
  }

  path(node) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  moves(node) {
    return this.path(node).map((at) => at.move);
  }

  mainLine() {
    const nodes = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) nodes.push(at);
    return nodes;
  }

  end(node) {
    let at = node;
    while (at.children.length) at = at.children[0];
    return at;
  }

  /** Where the variation that a node belongs to leaves another line, or null in the main line. */
  start(node) {
    for (let at = node; at.parent; at = at.parent) {
      if (at.parent.children[0] !== at) return at;
    }
    return null;
  }

  /** Let a variation change places with the line that it leaves. */
  promote(node) {
    const first = this.start(node);
    if (!first) return;
    const { children } = first.parent;
    children.splice(children.indexOf(first), 1);
    children.unshift(first);
  }

  /** Take a node away with all that follows; the node before it. */
  remove(node) {
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    return node.parent;
  }

  /** The tree as a line of a record. */
  toLine() {
    return { comments: this.root.comments, moves: this.follow(this.root) };
  }

  follow(start) {
    const moves = [];
    for (let at = start; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      const variations = others.map((other) => ({
        comments: other.intro,
        moves: [{ move: other.move, comments: other.comments }, ...this.follow(other)],
      }));
      moves.push({ move: main.move, comments: main.comments, variations });
    }
    return moves;
  }
}

/** Write a tree into a box; the buttons by node. `marks` are what a review says of nodes. */
export function write(box, tree, marks, go) {
  const buttons = new Map();
  box.replaceChildren();
  say(box, tree.root.comments);
  line(tree.root, box);
  if (!buttons.size) say(box, ["No moves yet: play some on the board."]);
  return buttons;

  function line(start, into) {
    for (let at = start; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      ply(main, into);
      for (const other of others) {
        const block = document.createElement("div");
        block.className = "variation";
        say(block, other.intro);
        ply(other, block);
        line(other, block);
        into.append(block);
      }
    }
  }

  function ply(node, into) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `ply seat-${node.seat}`;
    const number = document.createElement("small");
    number.textContent = `${node.turn}.`;
    button.append(number, ` ${node.move}`);
    const mark = marks.get(node);
    if (mark) {
      const sign = document.createElement("b");
      sign.textContent = mark;
      button.append(sign);
    }
    button.addEventListener("click", () => go(node));
    buttons.set(node, button);
    into.append(button, " ");
    say(into, node.comments);
  }
}

function say(box, comments) {
  for (const comment of comments) {
    const words = document.createElement("span");
    words.className = "comment";
    words.textContent = comment;
    box.append(words, " ");
  }
}
