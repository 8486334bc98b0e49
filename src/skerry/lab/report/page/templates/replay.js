// Games that can be looked through. A game is all parts that its pictures have, and for every
// picture which parts go and come; without this script the last board and the moves are there.

for (const box of document.querySelectorAll(".replay")) {
  const { parts, edits } = JSON.parse(box.querySelector("script").textContent);
  const frames = [];
  for (const changes of edits) {
    const frame = [...(frames.at(-1) ?? [])];
    for (const [at, gone, fresh] of changes) frame.splice(at, gone, ...fresh);
    frames.push(frame);
  }
  const find = (name) => box.querySelector(name);
  const [board, slider, words, play] = [".board", "input", ".words", "button.play"].map(find);
  const moves = [...box.querySelectorAll(".moves li")];
  const pointer = find(".chances i");
  const last = frames.length - 1;
  let at = last;
  let timer = null;

  function show(ply) {
    at = Math.max(0, Math.min(last, ply));
    board.innerHTML = frames[at].map((number) => parts[number]).join("");
    slider.value = at;
    let here = null;
    for (const move of moves) {
      move.removeAttribute("aria-current");
      if (here === null && move.dataset.ply >= at && at > 0) here = move;
    }
    if (here) {
      here.setAttribute("aria-current", "true");
      const list = here.parentNode;
      const [top, bottom] = [here.offsetTop, here.offsetTop + here.offsetHeight];
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
    const said = at === last ? `. ${words.dataset.end}` : "";
    words.textContent = here ? `${here.dataset.seat}: ${here.dataset.text}${said}` : "The start";
    slider.setAttribute("aria-valuetext", words.textContent);
    if (pointer) pointer.style.left = `${(100 * at) / last}%`;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.setAttribute("aria-pressed", "false");
  }

  function start() {
    if (at === last) show(0);
    timer = setInterval(() => (at < last ? show(at + 1) : stop()), 700);
    play.setAttribute("aria-pressed", "true");
  }

  function go(ply) {
    stop();
    show(ply);
  }

  const goals = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => last };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };
  for (const [name, goal] of Object.entries(goals)) find(`button.${name}`).addEventListener("click", () => go(goal()));
  play.addEventListener("click", () => (timer === null ? start() : stop()));
  slider.max = last;
  slider.addEventListener("input", () => go(Number(slider.value)));
  find(".moves").addEventListener("click", (event) => {
    const move = event.target.closest("li");
    if (move) go(Number(move.dataset.ply));
  });
  find(".chances")?.addEventListener("click", (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * last));
  });
  box.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(goals[keys[event.key]]());
  });
  find(".bar").hidden = false;
  box.classList.add("alive");
  show(last);
}
