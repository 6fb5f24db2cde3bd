import type { BrowserWindowConstructorOptions, Session, WebContents } from 'electron';
import { asChromiumWrites } from './fingerprint.ts';

/** Settings of every window: no Node, a sandbox, and a page that is isolated from the preload script. */
export function windowPreferences(
  preload: string,
  { devTools = false } = {},
): NonNullable<BrowserWindowConstructorOptions['webPreferences']> {
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
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    devTools,
    spellcheck: false, // would fetch dictionaries from outside
  };
}

interface Guard {
  /** The only origin that pages of the session come from and connect to. */
  readonly origin: string;
  /** Permissions of its pages, such as notifications. */
  readonly permissions: readonly string[];
  /** The window's own tools; they load nothing from outside. */
  readonly devTools: boolean;
}

/**
 * Lets a session connect to one origin only, and grants its pages nothing but the named permissions. Pictures of the
 * map may also come from the servers that the policy of the station's page names.
 */
export function hardenSession(session: Session, { origin, permissions, devTools }: Guard): void {
  let pictures: readonly string[] = [];
  session.webRequest.onHeadersReceived((details, answer) => {
    if (details.resourceType === 'mainFrame' && belongsTo(details.url, origin))
      pictures = pictureOriginsIn(details.responseHeaders ?? {});
    answer({});
  });
  session.webRequest.onBeforeRequest((details, answer) =>
    answer({
      cancel:
        !belongsTo(details.url, origin) &&
        !(details.resourceType === 'image' && pictures.some((one) => belongsTo(details.url, one))) &&
        !(devTools && isOfDevTools(details.url)),
    }),
  );
  const granted = new Set(permissions);
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(belongsTo(contents.getURL(), origin) && granted.has(permission)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin) => belongsTo(requestingOrigin, origin) && granted.has(permission),
  );
  session.setDevicePermissionHandler(() => false);
}

/** Chromium's numbers for the answer of a check of certificates. */
const ACCEPT = 0;
const REFUSE = -2;
const AS_CHROMIUM_SAYS = -3;

/**
 * Accepts only the pinned certificate, no matter who signed it; without a pin, what the system trusts. Calls
 * `refused` for each connection that the pin refuses.
 */
export function pinCertificate(session: Session, fingerprint: string | undefined, refused: () => void): void {
  if (fingerprint === undefined)
    return session.setCertificateVerifyProc((_request, answer) => answer(AS_CHROMIUM_SAYS));
  const pinned = asChromiumWrites(fingerprint);
  session.setCertificateVerifyProc(({ certificate }, answer) => {
    const isPinned = certificate.fingerprint === pinned;
    answer(isPinned ? ACCEPT : REFUSE);
    if (!isPinned) refused();
  });
}

/** Applies to everything with pages, also if Chromium opens it by itself: no new windows, no webview. */
export function forbidWindows(contents: WebContents): void {
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Keeps a window on one origin: no navigation to other pages. */
export function keepOnOrigin(contents: WebContents, origin: string): void {
  contents.on('will-navigate', (event) => {
    if (!belongsTo(event.url, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!belongsTo(event.url, origin)) event.preventDefault();
  });
}

/** Whether an address belongs to the origin (its WebSocket too) or needs no connection (`blob:`, `data:`). */
export function belongsTo(url: string, origin: string): boolean {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return false;
  }
  if (parsed.protocol === 'data:') return true;
  if (parsed.protocol === 'blob:') return parsed.origin === origin;
  return originOf(parsed).replace(/^ws/, 'http') === origin;
}

/** The origins in the rule for pictures of a page's policy, beside its own. */
export function pictureOriginsIn(headers: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const [, policies = []] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-security-policy') ?? [];
  return policies
    .flatMap((policy) => policy.split(';'))
    .map((rule) => rule.trim().split(/\s+/))
    .filter(([name]) => name === 'img-src')
    .flatMap((rule) => rule.slice(1))
    .filter((source) => /^https?:\/\/[^*]+$/.test(source));
}

/** A scheme of our own has no origin for Node. */
function originOf(url: URL): string {
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
}

function isOfDevTools(url: string): boolean {
  return url.startsWith('devtools://');
}
