// Keeps the page of crews for the time without coverage: its shell, the map's tiles, and photos that were looked at.
// What the crew does is kept by the page itself. It cannot be a part of the build: its address must never change.
const SHELL = 'crew-shell';
const SEEN = 'crew-seen';
/** The most parts of the page, and tiles and photos, that are kept; the oldest go first. */
const MOST = { [SHELL]: 150, [SEEN]: 1500 };
/** ms for which the page waits for the station before it is opened as it was kept. */
const PATIENCE = 3000;

self.addEventListener('install', (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(kept(request, SHELL));
  else if (/^\/crew\/(tiles|tasks\/\d+\/files)\//.test(url.pathname)) event.respondWith(kept(request, SEEN));
  else if (/^\/(trusted-types\.js|crew-)/.test(url.pathname)) event.respondWith(freshOrKept(request));
});

/** The page with the scripts and styles that it names. */
async function keepShell() {
  const cache = await caches.open(SHELL);
  const response = await fetch('/crew', { cache: 'no-cache' });
  const text = await response.clone().text();
  await cache.put('/crew', response);
  const named = [...text.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css|svg|webmanifest))"/g)].map(
    (found) => `/${found[1]}`,
  );
  await Promise.all(named.map((path) => cache.add(path).catch(() => undefined)));
}

async function page(request) {
  const cache = await caches.open(SHELL);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok) await cache.put('/crew', response.clone());
    return response;
  } catch {
    return (await cache.match('/crew')) ?? Response.error();
  }
}

/** What never changes under its address. */
async function kept(request, name) {
  const cache = await caches.open(name);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request).catch(() => Response.error());
  if (response.status === 200) {
    await cache.put(request, response.clone());
    await makeRoom(cache, MOST[name]);
  }
  return response;
}

async function freshOrKept(request) {
  const cache = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

async function makeRoom(cache, most) {
  const all = await cache.keys();
  if (all.length <= most) return;
  await Promise.all(all.slice(0, all.length - most).map((one) => cache.delete(one)));
}
