// The page in the place of one that could not be fetched: it goes on as soon as the server is back.

import { $ } from "../lib/page.js";
import { tn } from "../lib/texts.js";
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
  $("kept").textContent = tn(
    "Your unfinished game is kept by the server",
    "Your {n} unfinished games are kept by the server",
    count,
  );
}
$("again").addEventListener("click", goOn);
window.addEventListener("online", look);
setInterval(look, PAUSE);
