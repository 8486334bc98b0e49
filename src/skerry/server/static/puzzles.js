// Lists of puzzles: how many are solved, and which.

import { finished } from "./progress.js";

for (const said of document.querySelectorAll(".solved-count")) {
  const { game, count } = said.dataset;
  const solved = finished("puzzles", game);
  said.textContent = `${solved.size} of ${count} solved`;
  for (const tile of document.querySelectorAll("[data-number]")) {
    if (!solved.has(Number(tile.dataset.number))) continue;
    tile.classList.add("solved");
    tile.setAttribute("aria-label", `${tile.getAttribute("aria-label")}, solved`);
  }
}
