// Lists of puzzles: how many are solved, and which.

import { all, data } from "../lib/page.js";
import { listFinished } from "../lib/progress.js";

for (const counter of all(".solved-count")) {
  const solved = listFinished("puzzles", data(counter, "game"));
  counter.textContent = `${solved.size} of ${data(counter, "count")} solved`;
  for (const tile of all("[data-number]")) {
    if (!solved.has(Number(data(tile, "number")))) continue;
    tile.classList.add("solved");
    tile.setAttribute("aria-label", `${tile.getAttribute("aria-label")}, solved`);
  }
}
