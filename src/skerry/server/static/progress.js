// What is done of the courses and the puzzles of a game; this browser alone knows.

const place = (what, game) => `skerry:${what}:${game}`;

export function finished(what, game) {
  try {
    return new Set(JSON.parse(localStorage.getItem(place(what, game))) ?? []);
  } catch {
    return new Set();
  }
}

export function finish(what, game, part) {
  localStorage.setItem(place(what, game), JSON.stringify([...finished(what, game).add(part)]));
}
