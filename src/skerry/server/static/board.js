// Boards on a page: shows a picture, moves from one to the next, and tells what was pointed at.
// Nothing here knows a game: pieces have ids and transforms, cells have names.

const ON_A_CELL = /^cell-([a-z]\d+)$/;
const PLACE = /translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?/;
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE = 260; // milliseconds
const RIPPLE = 70; // between neighbours in a chain of changes

/** Whether boards are wanted by night, and what the server calls that. */
export const dark = window.matchMedia("(prefers-color-scheme: dark)");
export function theme() {
  return dark.matches ? "dark" : "light";
}

/** The name of the cell that an event points at, or null. */
export function cellAt(event) {
  for (let node = event.target; node && node.nodeType === 1; node = node.parentNode) {
    const found = ON_A_CELL.exec(node.id || "");
    if (found) return found[1];
  }
  return null;
}

/** Put a picture into a box; pieces glide from where they were. `path` is what was pointed at last. */
export function show(box, markup, path = []) {
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return;
  const fresh = document.importNode(parsed, true);
  const old = box.querySelector("svg");
  fresh.removeAttribute("width");
  fresh.removeAttribute("height");
  fresh.setAttribute("aria-hidden", "true"); // the page says it in words
  box.replaceChildren(fresh);
  if (old && !STILL.matches) glide(old, fresh, path);
}

function glide(old, fresh, path) {
  const before = new Map();
  for (const piece of old.querySelectorAll(".piece")) before.set(piece.id, piece);
  // Several boards on a page keep their ids apart by what stands before them.
  const prefix = /^(.*)cell-/.exec(fresh.querySelector(".cell").id)[1];
  const cell = (name) => spot(fresh.querySelector(`[id="${prefix}cell-${name}"]`));
  const centre = cell(path.at(-1)) ?? cell(path[0]);
  for (const piece of fresh.querySelectorAll(".piece")) {
    const here = read(piece);
    const start = before.get(piece.id) ?? arrival(before, piece, path, prefix);
    before.delete(piece.id);
    if (!start) {
      piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE, easing: "ease-out" });
      continue;
    }
    const there = read(start);
    if (there.text === here.text) continue;
    const turn = here.turn - 360 * Math.round((here.turn - there.turn) / 360);
    const far = centre ? Math.hypot(here.x - centre.x, here.y - centre.y) / 40 : 0;
    piece.animate([{ transform: css(there) }, { transform: css({ ...here, turn }) }], {
      duration: GLIDE,
      delay: Math.max(0, far - 0.5) * RIPPLE,
      easing: "ease-in-out",
      fill: "backwards",
    });
  }
}

/** A piece that came from another cell: the move says from where. */
function arrival(before, piece, path, prefix) {
  if (path.length !== 2 || piece.id !== `${prefix}piece-${path[1]}`) return null;
  return before.get(`${prefix}piece-${path[0]}`) ?? null;
}

function read(element) {
  const text = element.getAttribute("transform") ?? "";
  const [, x, y, turn] = PLACE.exec(text) ?? [];
  return { text, x: Number(x ?? 0), y: Number(y ?? 0), turn: Number(turn ?? 0) };
}

function css({ x, y, turn }) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg)`;
}

/** Where something is drawn, in the picture's own units. */
export function spot(element) {
  return element ? read(element) : null;
}

/** The cell nearest to another one in the direction of an arrow key. */
export function neighbour(svg, name, dx, dy) {
  const from = spot(svg.querySelector(`#cell-${name}`));
  let best = null;
  for (const cell of svg.querySelectorAll(".cell")) {
    const { x, y } = read(cell);
    const [ex, ey] = [x - from.x, y - from.y];
    const along = ex * dx + ey * dy;
    const aside = Math.abs(ex * dy - ey * dx);
    if (along < 5 || aside > along * 1.2) continue;
    const cost = Math.hypot(along, 2 * aside);
    if (!best || cost < best.cost) best = { cost, name: cell.id.slice("cell-".length) };
  }
  return best?.name ?? null;
}

/** What stands on a cell, in words. */
export function describe(svg, name, seats, directions) {
  const piece = svg.querySelector(`#piece-${name}`);
  if (!piece) return `${name}, empty`;
  const [, kind, owner] = piece.getAttribute("class").split(" ");
  const seat = /^seat-(\d)$/.exec(owner);
  const whose = seat ? seats[seat[1]].title : "neutral";
  const { turn } = read(piece);
  const lean = piece.id && kind === "peg" && seat ? leaning(turn, directions) : "";
  return `${name}, ${whose} ${kind}${lean}`;
}

function leaning(turn, directions) {
  for (const [name, [dx, dy]] of Object.entries(directions)) {
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    if (Math.abs(((turn - angle + 540) % 360) - 180) < 5) return `, leaning ${name}`;
  }
  return "";
}
