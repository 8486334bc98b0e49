// Lists of puzzles: how many are solved, and which.

import { findAll, readData } from "../lib/page.js";
import { listFinished } from "../lib/progress.js";
import { t } from "../lib/texts.js";

for (const counter of findAll(".solved-count")) {
  const solved = listFinished("puzzles", readData(counter, "game"));
  counter.textContent = t("{solved} of {count} solved", {
    solved: solved.size,
    count: readData(counter, "count"),
  });
  for (const tile of findAll("[data-number]")) {
    if (!solved.has(Number(readData(tile, "number")))) continue;
    tile.classList.add("solved");
  }
}
