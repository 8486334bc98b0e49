// The game page: one table, seen by a player or by somebody who watches.
// The server sends legal moves as paths of things to point at; this script only follows them.

import { cellAt, describe, neighbour, show, spot } from "./board.js";
import { api, keepSecrets, mayShare, remember, secretsOf } from "./seats.js";

const $ = (id) => document.getElementById(id);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const box = $("board");
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

let game = JSON.parse($("document").textContent);
let chosen = []; // the part of a move that has been pointed at
let ready = null; // a whole move that waits to be confirmed
let viewing = null; // the ply that is looked at, null for the game as it stands
let cursor = null; // the cell that the keyboard is on
let shownPly = game.ply;
let drawn = ""; // the picture that is shown

keepSecrets(game.id);

// --- talking to the server

function theme() {
  return dark.matches ? "dark" : "light";
}

async function post(what, body) {
  say("");
  const answer = await api(`/api/games/${game.id}/${what}`, game.id, body);
  if (answer.error) {
    if (answer.game) receive(answer.game); // somebody was faster: this is how it stands
    say(answer.error);
  } else receive(answer);
  return answer;
}

function receive(fresh) {
  if (fresh.revision < game.revision) return; // overtaken on the way
  const moved = fresh.ply !== game.ply;
  game = fresh;
  if (moved) {
    chosen = [];
    ready = null;
    viewing = null;
  }
  render();
}

let socket = null;
let patience = 500;

function connect() {
  const address = new URL(`/api/games/${game.id}/live`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    patience = 500;
    greet();
    $("connection").textContent = "";
  });
  socket.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    if (told.type === "game") receive(told.game);
    if (told.type === "error") say(told.error);
  });
  socket.addEventListener("close", () => {
    $("connection").textContent = "Connection lost, trying again …";
    setTimeout(connect, patience * (0.75 + Math.random() / 2));
    patience = Math.min(patience * 2, 15000);
  });
}

/** Say who we are and how we like boards; the answer is the game. */
function greet() {
  socket.send(JSON.stringify({ type: "hello", secrets: secretsOf(game.id), theme: theme() }));
}

// --- what is on the page

function say(text) {
  $("message").textContent = text;
}

function yours(seat) {
  return game.yours.includes(seat);
}

function myTurn() {
  return game.to_move !== null && yours(game.to_move) && viewing === null;
}

function render() {
  if (viewing === null && chosen.length === 0 && !ready) drawBoard(game.svg);
  else decorate();
  $("words").textContent = game.words;
  $("thinking").textContent = game.thinking
    ? game.engine === "warming" ? "The engine is warming up …" : "The engine is thinking …" : "";
  renderSeats();
  renderMoves();
  renderButtons();
  renderChoices();
  renderShare();
  renderChat();
  tick();
}

function drawBoard(svg) {
  const last = game.moves.at(-1);
  const path = last && game.ply !== shownPly ? last.path : [];
  shownPly = game.ply;
  put(svg, path);
}

/** Show a picture, unless it is the one that is there: presence and chat move no piece. */
function put(svg, path = []) {
  if (svg !== drawn) show(box, svg, path);
  drawn = svg;
  decorate();
}

function decorate() {
  for (const extra of box.querySelectorAll(".hint, .handle")) extra.remove();
  box.classList.toggle("mine", myTurn());
  showCursor();
  showHints();
  showHandles();
}

/** Where a move may start, unless that is every empty cell. */
function showHints() {
  const svg = box.querySelector("svg");
  if (!svg || !myTurn() || chosen.length || ready) return;
  const starts = nextParts().filter(isCell);
  const empty = svg.querySelectorAll(".cell").length - svg.querySelectorAll(".piece").length;
  if (starts.length === empty && !svg.querySelector(`#piece-${starts[0]}`)) return;
  for (const name of starts) {
    const occupied = svg.querySelector(`#piece-${name}`);
    const { x, y } = spot(svg.querySelector(`#cell-${name}`));
    const hint = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    hint.setAttribute("class", occupied ? "hint ring" : "hint");
    hint.setAttribute("cx", x);
    hint.setAttribute("cy", y);
    hint.setAttribute("r", occupied ? "18.5" : "4");
    svg.append(hint);
  }
}

function renderSeats() {
  const list = $("seats");
  list.replaceChildren(
    ...game.seats.map((seat) => {
      const item = document.createElement("li");
      item.className = `seat seat-${seat.seat}`;
      item.classList.toggle("to-move", game.to_move === seat.seat);
      const name = document.createElement("span");
      name.className = "name";
      name.textContent = seat.name ? `${seat.title}: ${seat.name}` : seat.title;
      const note = document.createElement("span");
      note.className = "note";
      note.textContent = noteOn(seat);
      const time = document.createElement("time");
      time.dataset.seat = seat.seat;
      item.append(name, note, time);
      if (mayShare(game.id)[seat.seat] && seat.claimed && !yours(seat.seat)) {
        item.append(renewal(seat));
      }
      return item;
    }),
  );
}

/** Whoever made the game may give a seat to somebody else: the old link then means nothing. */
function renewal(seat) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "renew";
  button.textContent = "New link";
  button.addEventListener("click", async () => {
    const answer = await api(`/api/games/${game.id}/revoke`, game.id, { seat: seat.seat });
    if (answer.error) return void say(answer.error);
    remember(game.id, secretsOf(game.id), { ...mayShare(game.id), [seat.seat]: answer.secret });
    $("links").replaceChildren();
    render();
  });
  return button;
}

function noteOn(seat) {
  if (yours(seat.seat)) return "you";
  if (seat.kind !== "person") return seat.kind.replace(":", " ");
  if (!seat.claimed) return "waiting for somebody";
  return seat.online ? "here" : "away";
}

function renderMoves() {
  const list = $("moves");
  const known = list.children.length;
  if (known > game.moves.length) list.replaceChildren();
  for (const move of game.moves.slice(list.children.length)) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move.text;
    button.dataset.ply = move.ply;
    button.className = `seat-${move.seat}`;
    item.append(button);
    list.append(item);
  }
  const at = viewing ?? game.ply;
  for (const button of list.querySelectorAll("button")) {
    const here = Number(button.dataset.ply) === at;
    if (here) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    if (here && list.children.length !== known) button.scrollIntoView({ block: "nearest" });
  }
}

function renderButtons() {
  const over = game.to_move === null;
  const playing = game.yours.length > 0;
  const people = game.seats.filter((seat) => seat.kind === "person");
  const others = people.some((seat) => !yours(seat.seat));
  const { draw, takeback } = game.offers;
  const asked = (offer) => offer !== null && !yours(offer) && playing && !over;
  $("takeback").hidden = !playing || game.ply === 0;
  // A turn that is not finished is nobody else's business.
  const unfinished = game.moves.at(-1)?.seat === game.to_move && yours(game.to_move);
  $("takeback").textContent = unfinished ? "Undo" : others ? "Ask to take back" : "Take back";
  $("resign").hidden = !playing || over;
  $("offer-draw").hidden = !playing || over || !others || game.seats.length > 2 || draw !== null;
  $("rematch").hidden = !playing || !over || Boolean(game.rematch);
  $("to-rematch").hidden = !game.rematch;
  if (game.rematch) $("to-rematch").href = game.rematch;
  $("draw-asked").hidden = !asked(draw);
  $("takeback-asked").hidden = !asked(takeback);
  $("confirm").hidden = !ready;
  $("cancel").hidden = !ready && chosen.length === 0;
  $("type").hidden = !myTurn();
  $("back-to-game").hidden = viewing === null;
}

/** Everything that can be pointed at next, for those who do not point: as buttons. */
function renderChoices() {
  const next = myTurn() ? nextParts() : [];
  const words = next.filter((part) => !isCell(part));
  $("choices").replaceChildren(
    ...words.map((part) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = part;
      button.addEventListener("click", () => point(part));
      return button;
    }),
  );
  $("moves-known").replaceChildren(
    ...(myTurn() ? game.legal : []).map(({ move }) => new Option(move)),
  );
}

function renderShare() {
  const open = game.seats.filter((seat) => seat.kind === "person" && !seat.claimed);
  const shared = mayShare(game.id);
  const links = open.filter((seat) => shared[seat.seat] && !yours(seat.seat));
  $("share").hidden = links.length === 0;
  if ($("links").children.length === links.length) return;
  $("links").replaceChildren(
    ...links.map((seat) => {
      const item = document.createElement("li");
      const label = document.createElement("label");
      label.textContent = `Link for ${seat.title}`;
      const field = document.createElement("input");
      field.readOnly = true;
      field.value = `${location.origin}/g/${game.id}#s=${shared[seat.seat]}`;
      label.append(field);
      const copy = document.createElement("button");
      copy.type = "button";
      copy.textContent = "Copy";
      copy.addEventListener("click", async () => {
        field.select();
        try {
          await navigator.clipboard.writeText(field.value);
        } catch {
          document.execCommand("copy");
        }
        copy.textContent = "Copied";
      });
      const qr = document.createElement("div");
      qr.className = "qr";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "QR code";
      button.addEventListener("click", async () => {
        const answer = await fetch(`/api/games/${game.id}/qr`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Seat": shared[seat.seat] },
          body: JSON.stringify({ seat: seat.seat }),
        });
        if (answer.ok) show(qr, await answer.text());
      });
      item.append(label, copy, button, qr);
      return item;
    }),
  );
}

function renderChat() {
  const list = $("chat");
  const newest = Number(list.lastElementChild?.dataset.n ?? -1);
  for (const line of game.chat.filter((line) => line.n > newest)) {
    const item = document.createElement("li");
    item.dataset.n = line.n;
    const name = document.createElement("b");
    name.textContent = line.name;
    item.append(name, ` ${line.text}`);
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }
}

// --- clocks

function tick() {
  if (!game.clock) return;
  const { remaining, running } = game.clock;
  game.clock.heard ??= performance.now();
  for (const time of document.querySelectorAll("#seats time")) {
    const seat = Number(time.dataset.seat);
    let left = remaining[seat];
    if (left === null) continue;
    if (running === seat) left -= performance.now() - game.clock.heard;
    time.textContent = clockText(Math.max(0, left));
    time.classList.toggle("short", left < 10000);
  }
}

function clockText(left) {
  const seconds = Math.ceil(left / 1000);
  if (seconds >= 86400) return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// --- making moves

function isCell(part) {
  return /^[a-z]\d+$/.test(part);
}

function continuing(path) {
  return game.legal.filter((legal) => path.every((part, i) => legal.path[i] === part));
}

function nextParts() {
  return [...new Set(continuing(chosen).map((legal) => legal.path[chosen.length]))].filter(Boolean);
}

/** Something was pointed at: go on with the move, begin another one, or give it up. */
function point(part) {
  if (!myTurn()) return;
  if (ready && part === ready.path.at(-1)) return void play(ready);
  const longer = [...chosen, part];
  if (ready) {
    ready = null;
    chosen = [];
  }
  if (continuing(longer).length) chosen = longer;
  else if (continuing([part]).length) chosen = chosen[0] === part ? [] : [part];
  else chosen = [];
  const whole = continuing(chosen).find((legal) => legal.path.length === chosen.length);
  if (whole) {
    if ($("confirming").checked) ready = whole;
    else return void play(whole);
  }
  preview(chosen);
}

async function play(legal) {
  const { version } = game;
  asking?.abort();
  chosen = [];
  ready = null;
  await post("moves", { version, move: legal.move });
}

let asking = null; // what the server was asked to show last

async function preview(path) {
  asking?.abort();
  renderButtons();
  renderChoices();
  if (path.length === 0) {
    drawBoard(game.svg);
    return;
  }
  const asked = path.join(",");
  const address = `/api/games/${game.id}/preview?path=${encodeURIComponent(asked)}&theme=${theme()}`;
  asking = new AbortController();
  let found;
  try {
    const answer = await fetch(address, { signal: asking.signal });
    if (!answer.ok) return;
    found = await answer.json();
  } catch {
    return; // something else was chosen meanwhile
  }
  if (chosen.join(",") !== asked) return;
  put(found.svg, path);
  $("spoken").textContent = found.words;
}

/** Handles around a chosen cell, where a direction comes next. */
function showHandles() {
  const svg = box.querySelector("svg");
  if (!svg || chosen.length === 0 || ready) return;
  const ways = nextParts().filter((part) => part in game.directions);
  const from = spot(svg.querySelector(`#cell-${chosen.at(-1)}`));
  for (const way of ways) {
    const [dx, dy] = game.directions[way];
    const handle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    handle.setAttribute("class", "handle");
    handle.setAttribute("cx", from.x + 0.72 * dx);
    handle.setAttribute("cy", from.y + 0.72 * dy);
    handle.setAttribute("r", "13");
    handle.dataset.way = way;
    svg.append(handle);
  }
}

/** A cell stands for the direction towards it where directions come next. */
function nextPart(cell) {
  const parts = nextParts();
  if (parts.includes(cell) || chosen.length === 0) return cell;
  const svg = box.querySelector("svg");
  const from = spot(svg.querySelector(`#cell-${chosen.at(-1)}`));
  const to = spot(svg.querySelector(`#cell-${cell}`));
  const way = parts.find((part) => {
    const [dx, dy] = game.directions[part] ?? [0, 0];
    return Math.hypot(from.x + dx - to.x, from.y + dy - to.y) < 5;
  });
  return way ?? cell;
}

// A press and a release on the same thing point at it; dragging is pointing twice. Clicks would not
// do: a browser makes none if the picture was replaced between press and release.
let pressed = null;
box.addEventListener("pointerdown", (event) => {
  pressed = event.isPrimary && event.button === 0 ? under(event) : null;
});
document.addEventListener("pointercancel", () => {
  pressed = null;
});
document.addEventListener("pointerup", (event) => {
  const [from, to] = [pressed, under(event)];
  pressed = null;
  if (!from || !to) return;
  if (from.cell) moveCursor(to.cell ?? from.cell);
  if (from.way === to.way && from.cell === to.cell) point(to.way ?? nextPart(to.cell));
  else if (from.cell && to.cell && myTurn() && !ready) {
    const before = chosen;
    chosen = [from.cell];
    if (continuing([from.cell, nextPart(to.cell)]).length) point(nextPart(to.cell));
    else chosen = before;
  }
});

/** The handle or the cell that is under the pointer now, or null. */
function under(event) {
  const target = document.elementFromPoint(event.clientX, event.clientY);
  if (!target || !box.contains(target)) return null;
  const [way, cell] = [target.dataset?.way, cellAt({ target })];
  return way || cell ? { way, cell } : null;
}

// --- keyboard

function moveCursor(name) {
  cursor = name;
  showCursor();
}

function showCursor() {
  const svg = box.querySelector("svg");
  if (!svg) return;
  for (const cell of svg.querySelectorAll(".cursor")) cell.classList.remove("cursor");
  if (cursor && document.activeElement === box) {
    svg.querySelector(`#cell-${cursor}`)?.classList.add("cursor");
  }
}

box.addEventListener("focus", () => {
  const svg = box.querySelector("svg");
  cursor ??= svg?.querySelectorAll(".cell")[Math.floor(svg.querySelectorAll(".cell").length / 2)]
    ?.id.slice("cell-".length);
  showCursor();
});
box.addEventListener("blur", showCursor);
box.addEventListener("keydown", (event) => {
  const svg = box.querySelector("svg");
  if (event.key in ARROWS && cursor) {
    const name = neighbour(svg, cursor, ...turned(ARROWS[event.key]));
    if (name) moveCursor(name);
    $("spoken").textContent = describe(svg, cursor, game.seats, game.directions);
  } else if ((event.key === "Enter" || event.key === " ") && cursor) {
    point(ready ? ready.path.at(-1) : nextPart(cursor));
  } else if (event.key === "Escape") {
    cancel();
  } else return;
  event.preventDefault();
});

function turned([x, y]) {
  return box.classList.contains("flipped") ? [-x, -y] : [x, y];
}

function cancel() {
  chosen = [];
  ready = null;
  preview([]);
}

// --- the rest of the page

$("confirm").addEventListener("click", () => ready && play(ready));
$("cancel").addEventListener("click", cancel);
$("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = $("typed");
  post("moves", { version: game.version, move: field.value }).then((answer) => {
    if (!answer.error) field.value = "";
  });
});
$("takeback").addEventListener("click", () => act("ask-takeback"));
$("resign").addEventListener("click", () => {
  if (window.confirm("Resign this game?")) act("resign");
});
$("offer-draw").addEventListener("click", () => act("offer-draw"));
$("rematch").addEventListener("click", () => act("rematch"));
for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => act(button.dataset.action));
}
$("to-rematch").addEventListener("click", (event) => {
  event.preventDefault();
  goToRematch();
});
$("flip").addEventListener("click", () => {
  const flipped = box.classList.toggle("flipped");
  $("flip").setAttribute("aria-pressed", flipped);
});
$("confirming").addEventListener("change", (event) => {
  localStorage.setItem("skerry:confirm", event.target.checked ? "yes" : "");
});
$("confirming").checked = Boolean(localStorage.getItem("skerry:confirm"));

async function act(action) {
  await post("actions", { version: game.version, action });
  if (action === "rematch" && game.rematch) goToRematch();
}

/** Seats are rotated, but everybody keeps his secret. */
function goToRematch() {
  remember(game.rematch.slice("/g/".length), secretsOf(game.id));
  location.href = game.rematch;
}

$("moves").addEventListener("click", (event) => {
  const { ply } = event.target.dataset;
  if (ply !== undefined) look(Number(ply));
});
for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => {
    const at = viewing ?? game.ply;
    look({ first: 0, back: at - 1, on: at + 1, last: game.ply }[button.dataset.go]);
  });
}

async function look(ply) {
  if (ply < 0 || ply > game.ply) return;
  viewing = ply === game.ply ? null : ply;
  chosen = [];
  ready = null;
  if (viewing === null) drawBoard(game.svg);
  else {
    const answer = await fetch(`/api/games/${game.id}/board.svg?ply=${ply}&theme=${theme()}`);
    if (answer.ok && viewing === ply) put(await answer.text());
  }
  renderMoves();
  renderButtons();
  renderChoices();
}
$("back-to-game").addEventListener("click", () => look(game.ply));

$("chat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = $("chat-text");
  if (field.value.trim()) post("chat", { text: field.value });
  field.value = "";
});

$("name-form").addEventListener("submit", (event) => {
  event.preventDefault();
  localStorage.setItem("skerry:name", $("name").value);
  post("claim", { name: $("name").value });
});

async function enter() {
  $("name").value = localStorage.getItem("skerry:name") ?? "";
  if (secretsOf(game.id).length) await post("claim", { name: $("name").value });
  $("name-form").hidden = game.yours.length === 0;
  $("chat-form").hidden = game.yours.length === 0;
}

dark.addEventListener("change", () => {
  if (socket?.readyState === WebSocket.OPEN) greet();
});

box.replaceChildren();
drawBoard(game.svg);
render();
enter().finally(connect);
setInterval(tick, 250);
