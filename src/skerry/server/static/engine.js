// What the engine thinks, told by the server while it thinks. One thing is asked for at a time: a
// new question takes the place of the one before.

export class Engine {
  /** `hear(told)` gets what is found, `lost(words)` why nothing comes. */
  constructor(hear, lost) {
    this.hear = hear;
    this.lost = lost;
    this.number = 0;
    this.socket = null;
  }

  ask(type, content) {
    this.number += 1;
    const text = JSON.stringify({ type, n: this.number, ...content });
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.connect(text);
  }

  stop() {
    this.number += 1;
    this.waiting = null;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send('{"type":"stop"}');
  }

  connect(text) {
    this.waiting = text;
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    const address = new URL("/api/analysis", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (this.waiting) socket.send(this.waiting);
      this.waiting = null;
    });
    socket.addEventListener("message", (event) => {
      const told = JSON.parse(event.data);
      if (told.n !== this.number) return; // about something that nobody looks at any more
      if (told.type === "error") this.lost(told.error);
      else this.hear(told);
    });
    socket.addEventListener("close", (event) => {
      this.waiting = null;
      this.lost(event.reason || "The engine cannot be reached; try again in a moment.");
    });
  }
}

export function percent(chance) {
  return `${Math.round(100 * chance)} %`;
}

/** What every seat may expect, as a bar in the colours of the seats. */
export function weigh(box, chances, seats, inks, note) {
  box.hidden = false;
  const said = seats.map((seat) => `${seat.title} ${percent(chances[seat.seat])}`).join(", ");
  box.setAttribute("aria-label", note ? `${note} (${said})` : said);
  box.replaceChildren(
    ...seats.map((seat) => {
      const part = document.createElement("span");
      part.style.flexGrow = chances[seat.seat];
      part.style.background = inks[seat.seat][0];
      part.style.borderColor = inks[seat.seat][1];
      part.style.color = isDark(inks[seat.seat][0]) ? "#ffffff" : "#000000";
      part.textContent = chances[seat.seat] >= 0.08 ? Math.round(100 * chances[seat.seat]) : "";
      part.title = `${seat.title} ${percent(chances[seat.seat])}`;
      return part;
    }),
  );
}

function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
  return 0.3 * red + 0.59 * green + 0.11 * blue < 128;
}
