// The game page: one table, seen by a player or by somebody who watches.

import { dark, show, theme } from "./board.js";
import { Pointing } from "./pointing.js";
import { api, keepSecrets, mayShare, remember, secretsOf } from "./seats.js";

const $ = (id) => document.getElementById(id);
const box = $("board");

let game = JSON.parse($("document").textContent);
let viewing = null; // the ply that is looked at, null for the game as it stands
let shownPly = game.ply;

const board = new Pointing(box, {
  preview,
  play: ({ move }) => post("moves", { version: game.version, move }),
  changed: renderButtons,
  speak: (text) => {
    $("spoken").textContent = text;
  },
  confirming: () => $("confirming").checked,
  choices: $("choices"),
});

keepSecrets(game.id);

// --- talking to the server

async function post(what, body) {
  say("");
  const answer = await api(`/api/games/${game.id}/${what}`, game.id, body);
  if (answer.error) {
    if (answer.game) receive(answer.game); // somebody was faster: this is how it stands
    else if (viewing === null) board.rest(game.svg);
    say(answer.error);
  } else receive(answer);
  return answer;
}

function receive(fresh) {
  if (fresh.revision < game.revision) return; // overtaken on the way
  const moved = fresh.ply !== game.ply;
  game = fresh;
  if (moved) {
    board.clear();
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
  drawBoard();
  $("words").textContent = game.words;
  $("thinking").textContent = game.thinking
    ? game.engine === "warming" ? "The engine is warming up …" : "The engine is thinking …" : "";
  renderSeats();
  renderMoves();
  renderButtons();
  renderShare();
  renderChat();
  tick();
}

function drawBoard() {
  offer();
  if (viewing !== null) return;
  const last = game.moves.at(-1);
  const path = last && game.ply !== shownPly ? last.path : [];
  shownPly = game.ply;
  board.rest(game.svg, path);
}

function offer() {
  const { legal, directions, seats } = game;
  board.offer({ legal, directions, seats, mine: myTurn() });
  $("moves-known").replaceChildren(...(myTurn() ? legal : []).map(({ move }) => new Option(move)));
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
  $("confirm").hidden = !board.ready;
  $("cancel").hidden = !board.ready && board.chosen.length === 0;
  $("type").hidden = !myTurn();
  $("back-to-game").hidden = viewing === null;
  $("analyse").hidden = !over;
  $("analyse").hash = viewing === null ? "" : `p=${viewing}`;
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

async function preview(path, signal) {
  const asked = encodeURIComponent(path.join(","));
  const address = `/api/games/${game.id}/preview?path=${asked}&theme=${theme()}`;
  const answer = await fetch(address, { signal });
  return answer.ok ? answer.json() : null;
}

// --- the rest of the page

$("confirm").addEventListener("click", () => board.confirm());
$("cancel").addEventListener("click", () => board.cancel());
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
  board.clear();
  drawBoard();
  if (viewing !== null) {
    const answer = await fetch(`/api/games/${game.id}/board.svg?ply=${ply}&theme=${theme()}`);
    if (answer.ok && viewing === ply) board.put(await answer.text());
  }
  renderMoves();
  renderButtons();
}
$("back-to-game").addEventListener("click", () => look(game.ply));

$("chat-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = $("chat-text");
  const text = field.value;
  if (field.disabled || !text.trim()) return; // or it would be sent twice
  field.disabled = true;
  const answer = await post("chat", { text });
  field.disabled = false;
  if (!answer.error) field.value = "";
  if (document.activeElement === document.body) field.focus(); // nobody went on to something else
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
render();
enter().finally(connect);
setInterval(tick, 250);
