import type { BrowserWindowConstructorOptions, Session, WebContents } from 'electron';

/** How every window is made: nothing of Node in it, its page in a sandbox and apart from the preload. */
export function windowPreferences(preload: string): BrowserWindowConstructorOptions['webPreferences'] {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    navigateOnDragDrop: false,
    spellcheck: false, // would fetch dictionaries from outside
  };
}

/**
 * A session talks to the station and to nobody else, and grants a page nothing but notifications and a full
 * screen.
 */
export function hardenSession(session: Session, origin: string): void {
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !belongsTo(details.url, origin) }));
  const granted = new Set(['notifications', 'fullscreen', 'clipboard-sanitized-write']);
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(belongsTo(contents.getURL(), origin) && granted.has(permission)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin) => belongsTo(requestingOrigin, origin) && granted.has(permission),
  );
}

/** A window shows the console and stays there: no other page, no window of its own making, no webview. */
export function hardenContents(contents: WebContents, origin: string): void {
  contents.on('will-navigate', (event) => {
    if (!belongsTo(event.url, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!belongsTo(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/**
 * Whether an address is the station's own; its WebSocket counts, and what a page holds itself (`blob:`,
 * `data:`) needs no connection.
 */
export function belongsTo(url: string, origin: string): boolean {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return false;
  }
  if (parsed.protocol === 'data:') return true;
  if (parsed.protocol === 'blob:') return parsed.origin === origin;
  if (parsed.protocol === 'devtools:') return true; // the window's own tools; they load nothing from outside
  return parsed.origin.replace(/^ws/, 'http') === origin;
}
