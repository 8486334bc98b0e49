// Games that can be looked through. A game is all parts that its pictures have, and for every
// picture which parts go and come; without this script the last board and the moves are there.

/** @typedef {[at: number, gone: number, fresh: number[]]} Change parts that go and come */
/** @typedef {{ parts: string[], edits: Change[][] }} Film a game as its pictures */

const PAUSE = 700; // milliseconds between the boards of a game that plays by itself
const MISSING = "The boards of this game could not be fetched. Try again.";

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {Element} box
 * @param {string} selector
 * @returns {T}
 */
function seek(box, selector) {
  const found = box.querySelector(selector);
  if (!found) throw new Error(`a game without ${selector}`);
  return /** @type {T} */ (found);
}

/**
 * All pictures of a game.
 *
 * @param {Film} film
 */
export function listFrames({ parts, edits }) {
  /** @type {number[]} */
  let frame = [];
  return edits.map((changes) => {
    frame = [...frame];
    for (const [at, gone, fresh] of changes) frame.splice(at, gone, ...fresh);
    return frame.map((number) => parts[number]).join("");
  });
}

/**
 * Let a game be looked through; its pictures are asked for when somebody begins to.
 *
 * @param {HTMLElement} box
 * @param {() => Promise<Film>} load
 * @returns {() => void} draws the board anew, for whoever has changed what is loaded
 */
export function bringToLife(box, load) {
  const last = Number(box.dataset.plies);
  const [board, words, play, list] = [
    seek(box, ".board"),
    seek(box, ".words"),
    seek(box, "button.play"),
    seek(box, ".moves"),
  ];
  /** @type {HTMLInputElement} */
  const slider = seek(box, "input");
  /** @type {HTMLElement[]} */
  const moves = [...box.querySelectorAll(".moves li")].filter(
    (item) => item instanceof HTMLElement,
  );
  /** @type {HTMLElement | null} */
  const pointer = box.querySelector(".chances i");
  const plyOf = (/** @type {HTMLElement} */ move) => Number(move.dataset.ply);
  let at = last;
  /** @type {Promise<string[]> | null} */
  let frames = null;
  /** @type {number | null} */
  let timer = null;

  /** The picture of a ply, once it is there; only the latest that was asked for is shown. */
  async function draw() {
    const ply = at;
    frames ??= load().then(listFrames);
    box.setAttribute("aria-busy", "true");
    try {
      const picture = (await frames)[ply];
      if (ply === at && picture) board.innerHTML = picture;
    } catch {
      frames = null;
      stop();
      words.textContent = MISSING;
    } finally {
      box.removeAttribute("aria-busy");
    }
  }

  /** @param {number} ply */
  function show(ply) {
    at = Math.max(0, Math.min(last, ply));
    const here = at > 0 ? moves.find((move) => plyOf(move) >= at) : undefined;
    for (const move of moves) move.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "true");
    if (here) reveal(here);
    const end = at === last ? `. ${words.dataset.end}` : "";
    words.textContent = here ? `${here.dataset.seat}: ${here.dataset.text}${end}` : "The start";
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", words.textContent);
    if (pointer) pointer.style.left = `${(100 * at) / last}%`;
    void draw();
  }

  /** @param {HTMLElement} move */
  function reveal(move) {
    const [top, bottom] = [move.offsetTop, move.offsetTop + move.offsetHeight];
    const isSeen = top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
  }

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    play.setAttribute("aria-pressed", "false");
  }

  function start() {
    if (at === last) show(0);
    timer = setInterval(() => (at < last ? show(at + 1) : stop()), PAUSE);
    play.setAttribute("aria-pressed", "true");
  }

  /** @param {number} ply */
  function go(ply) {
    stop();
    show(ply);
  }

  const goals = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => last };
  /** @type {Record<string, () => number>} */
  const keys = {
    Home: goals.first,
    ArrowLeft: goals.back,
    ArrowRight: goals.next,
    End: goals.last,
  };
  for (const [name, goal] of Object.entries(goals)) {
    seek(box, `button.${name}`).addEventListener("click", () => go(goal()));
  }
  play.addEventListener("click", () => (timer === null ? start() : stop()));
  slider.addEventListener("input", () => go(Number(slider.value)));
  list.addEventListener("click", ({ target }) => {
    const move = moves.find((item) => target instanceof Node && item.contains(target));
    if (move) go(plyOf(move));
  });
  const graph = box.querySelector(".chances");
  graph?.addEventListener("click", (event) => {
    const { left, width } = graph.getBoundingClientRect();
    const { clientX } = /** @type {MouseEvent} */ (event);
    go(Math.round(((clientX - left) / width) * last));
  });
  box.addEventListener("keydown", (event) => {
    const goal = keys[event.key];
    if (!goal || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(goal());
  });
  seek(box, ".steps").hidden = false;
  box.classList.add("alive");
  return () => {
    if (!frames) return; // nobody has looked yet
    frames = null;
    void draw();
  };
}
