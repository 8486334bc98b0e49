// Which steps of a course are done; this browser alone knows.

const key = (game) => `skerry:lessons:${game}`;

export function finished(game) {
  try {
    return new Set(JSON.parse(localStorage.getItem(key(game))) ?? []);
  } catch {
    return new Set();
  }
}

export function finish(game, step) {
  localStorage.setItem(key(game), JSON.stringify([...finished(game).add(step)]));
}
