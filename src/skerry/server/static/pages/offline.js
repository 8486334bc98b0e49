// The page in the place of one that could not be fetched: it goes on as soon as the server is back.

import { $ } from "../lib/page.js";
import { countOngoing } from "../lib/yours.js";

const PAUSE = 15_000; // milliseconds
const OWN = "/offline"; // where nobody wanted to go

function goOn() {
  if (location.pathname === OWN) location.replace("/");
  else location.reload();
}

async function look() {
  const answer = await fetch("/healthz").catch(() => null);
  if (answer?.ok) goOn();
}

const count = countOngoing();
if (count > 0) {
  const games = count === 1 ? "Your unfinished game is" : `Your ${count} unfinished games are`;
  $("kept").textContent = `${games} kept by the server`;
}
$("again").addEventListener("click", goOn);
window.addEventListener("online", look);
setInterval(look, PAUSE);
