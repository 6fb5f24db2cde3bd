import type { BrowserWindowConstructorOptions, Session, WebContents } from 'electron';

/** Settings of every window: no Node, a sandbox, and a page that is isolated from the preload script. */
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
 * Lets a session connect to the station only, and grants its pages notifications, full screen and writing to
 * the clipboard.
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

/** Keeps a window on the console: no navigation to other pages, no new windows, no webview. */
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

/** Whether an address belongs to the station (its WebSocket too) or needs no connection (`blob:`, `data:`). */
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
