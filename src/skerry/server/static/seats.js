// Secrets of seats: who has one may play that seat. They stay in this browser, and never travel in
// an address: a link carries its secret behind the #, which browsers do not send.

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? null;
  } catch {
    return null;
  }
}

/** The secrets that this browser plays with. */
export function secretsOf(id) {
  return load(`skerry:${id}`) ?? [];
}

/** The secrets that this browser may hand on, by seat. */
export function mayShare(id) {
  return load(`skerry:share:${id}`) ?? {};
}

export function remember(id, secrets, shared = {}) {
  localStorage.setItem(`skerry:${id}`, JSON.stringify(secrets));
  localStorage.setItem(`skerry:share:${id}`, JSON.stringify(shared));
}

/** Take the secret out of the address that somebody was sent. */
export function keepSecrets(id) {
  const found = /^#s=([\w-]+)$/.exec(location.hash);
  if (!found) return;
  remember(id, [...new Set([...secretsOf(id), found[1]])], mayShare(id));
  history.replaceState(null, "", location.pathname);
}

/** Ask the server for something that changes a game or a study; errors come back as {error}. */
export async function api(address, id, body, method = "POST") {
  try {
    const answer = await fetch(address, {
      method,
      headers: { "Content-Type": "application/json", "X-Seat": secretsOf(id).join(",") },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    return { error: "The server cannot be reached. Nothing is lost; try again in a moment." };
  }
}
