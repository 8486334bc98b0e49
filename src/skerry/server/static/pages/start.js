// The start page: one click is a game.

import { showHeld } from "../lib/heldlist.js";
import { $, find, findAll, readData } from "../lib/page.js";
import { listFinished } from "../lib/progress.js";
import { GameForm } from "./start/form.js";
import { enliven } from "./start/showcase.js";
import { watch } from "./start/watching.js";

for (const form of findAll("form.new-game", document, HTMLFormElement)) {
  new GameForm(form, find(`.board[data-game=${readData(form, "game")}]`));
}
for (const link of findAll("[data-learn]")) {
  const done = listFinished("lessons", readData(link, "learn")).size;
  if (done) link.append(` (${done}/${readData(link, "steps")})`);
}
for (const box of findAll("[data-frames]")) enliven(box);
if (document.getElementById("playing")) {
  watch();
  showHeld($("yours"), (games) => {
    $("your-games").hidden = !games.length;
  });
}
