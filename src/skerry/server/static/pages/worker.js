// The service worker, served as /sw.js: it keeps the shell of the site for times without a network,
// and shows the messages that are pushed to this browser while no page is open.
//
// Only files whose address changes with their content are kept, and the page that says that there
// is no network; and where messages are wanted, by what the server knows this browser. Games, and
// whatever else the server answers, are never kept: secrets and positions have no business here, and
// an old board would be worse than none.

/**
 * What is kept, and what is said if nobody knows better; the server fills in this line.
 *
 * @type {{ name: string, page: string, files: string[], said: { title: string, body: string } }}
 */
const SHELL = { name: "", page: "", files: [], said: { title: "", body: "" } };

const NAMES = "skerry-"; // how the names of all our shells begin
const STATIC = "/static/";
const PUSH = "/api/push";
const KNOWN = "push"; // a cache: by which subscription the server knows this browser
const FALLBACK = { ...SHELL.said, path: "/yours" };

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

// --- what is kept

worker.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
  worker.skipWaiting();
});

async function keepShell() {
  const shell = await caches.open(SHELL.name);
  await shell.addAll([new Request(SHELL.page, { cache: "no-cache" }), ...SHELL.files]);
}

worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([dropOldShells(), worker.registration.navigationPreload?.enable()]));
});

async function dropOldShells() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(NAMES) && name !== SHELL.name);
  await Promise.all(old.map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (pathname.startsWith(STATIC)) event.respondWith(findStatic(request));
});

/** @param {FetchEvent} event */
async function navigate(event) {
  try {
    // The browser has asked already while this worker was starting.
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(SHELL.page)) ?? Response.error();
  }
}

/** @param {Request} request */
async function findStatic(request) {
  const shell = await caches.open(SHELL.name);
  const kept = await shell.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && isCurrent(request.url)) await shell.put(request, answer.clone());
  return answer;
}

/**
 * Whether a file belongs to the version of the site that this shell is of.
 *
 * @param {string} address
 */
function isCurrent(address) {
  const print = SHELL.files[0]?.split("/")[2];
  return new URL(address).pathname.startsWith(`${STATIC}${print}/`);
}

// --- what is told

worker.addEventListener("push", (event) => event.waitUntil(tell(readMessage(event.data))));

/**
 * @param {PushMessageData | null} data
 * @returns {typeof FALLBACK}
 */
function readMessage(data) {
  try {
    return { ...FALLBACK, ...data?.json() };
  } catch {
    return FALLBACK; // browsers insist that something is shown
  }
}

/** @param {typeof FALLBACK} message */
async function tell({ title, body, path }) {
  const pages = await listPages(path);
  if (pages.some((page) => page.visibilityState === "visible")) return; // they see it
  const icon = "/icons/192.png";
  await worker.registration.showNotification(title, { body, tag: path, icon, data: { path } });
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? FALLBACK.path));
});

/**
 * Go to the page that shows a game already, or open one.
 *
 * @param {string} path
 */
async function show(path) {
  const [page] = await listPages(path);
  return page ? page.focus() : worker.clients.openWindow(path);
}

/** @param {string} path */
async function listPages(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.filter(({ url }) => new URL(url).pathname === path);
}

// --- where it is told

worker.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(replaceSubscription(event.oldSubscription, event.newSubscription));
});

/**
 * The push service knows this browser by another subscription now. The server is told in the name of
 * the one before, since secrets of seats stay with pages; if that fails the next page does it.
 *
 * @param {PushSubscription | null | undefined} old browsers may not say
 * @param {PushSubscription | null | undefined} fresh
 */
async function replaceSubscription(old, fresh) {
  const kept = await caches.match(PUSH, { cacheName: KNOWN });
  const replaces = kept ? await kept.json() : readSubscription(old);
  if (!replaces) return;
  const found = readSubscription(fresh ?? (await subscribe()));
  const body = JSON.stringify({ ...found, games: [], replaces });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(PUSH, { method: "PUT", headers, body });
  if (!answer.ok) return;
  const box = await caches.open(KNOWN);
  await box.put(PUSH, new Response(JSON.stringify(found)));
}

async function subscribe() {
  const { key } = await (await fetch(PUSH)).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return worker.registration.pushManager.subscribe(options);
}

/** @param {PushSubscription | null | undefined} subscription */
function readSubscription(subscription) {
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  return endpoint ? { endpoint, keys } : null;
}
