// Games that can be looked through. A game is all parts that its pictures have, and for every
// picture which parts go and come; without this script the last board and the moves are there.

/** @typedef {[at: number, gone: number, fresh: number[]]} Change parts that go and come */

const PAUSE = 700; // milliseconds between the boards of a game that plays by itself

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {Element} box
 * @param {string} selector
 * @returns {T}
 */
function find(box, selector) {
  const found = box.querySelector(selector);
  if (!found) throw new Error(`a game without ${selector}`);
  return /** @type {T} */ (found);
}

/**
 * The numbers of the parts of every picture.
 *
 * @param {Change[][]} edits
 */
function listFrames(edits) {
  /** @type {number[][]} */
  const frames = [];
  for (const changes of edits) {
    const frame = [...(frames.at(-1) ?? [])];
    for (const [at, gone, fresh] of changes) frame.splice(at, gone, ...fresh);
    frames.push(frame);
  }
  return frames;
}

/** @param {HTMLElement} box */
function bringToLife(box) {
  const { parts, edits } = JSON.parse(find(box, "script").textContent ?? "");
  const frames = listFrames(edits);
  const last = frames.length - 1;
  const [board, words, play, list] = [
    find(box, ".board"),
    find(box, ".words"),
    find(box, "button.play"),
    find(box, ".moves"),
  ];
  /** @type {HTMLInputElement} */
  const slider = find(box, "input");
  /** @type {HTMLElement[]} */
  const moves = [...box.querySelectorAll(".moves li")].filter(
    (item) => item instanceof HTMLElement,
  );
  /** @type {HTMLElement | null} */
  const pointer = box.querySelector(".chances i");
  const plyOf = (/** @type {HTMLElement} */ move) => Number(move.dataset.ply);
  let at = last;
  /** @type {number | null} */
  let timer = null;

  /** @param {number} ply */
  function show(ply) {
    at = Math.max(0, Math.min(last, ply));
    board.innerHTML = (frames[at] ?? []).map((number) => parts[number]).join("");
    const here = at > 0 ? moves.find((move) => plyOf(move) >= at) : undefined;
    for (const move of moves) move.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "true");
    if (here) reveal(here);
    const end = at === last ? `. ${words.dataset.end}` : "";
    words.textContent = here ? `${here.dataset.seat}: ${here.dataset.text}${end}` : "The start";
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", words.textContent);
    if (pointer) pointer.style.left = `${(100 * at) / last}%`;
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
    find(box, `button.${name}`).addEventListener("click", () => go(goal()));
  }
  play.addEventListener("click", () => (timer === null ? start() : stop()));
  slider.max = String(last);
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
  find(box, ".bar").hidden = false;
  box.classList.add("alive");
  show(last);
}

for (const box of document.querySelectorAll(".replay")) {
  if (box instanceof HTMLElement) bringToLife(box);
}
