import { LANGUAGES, type Language } from './text/language.ts';

/**
 * All that a window may request from the desktop program (`electron/preload.ts`). In a browser there is no
 * bridge.
 */
export interface WindowBridge {
  /**
   * Shows a notification of the operating system. Clicking it brings a window to the front and, with `route`,
   * to that page.
   */
  notify(notice: DesktopNotification): void;
  /** Removes a notification, because somebody has answered it. */
  withdraw(tag: string): void;
  /**
   * Opens another window on a page of the console, such as `#/map` for a wall map. With `corner` on that display, or
   * on the first one where it is missing; a window that shows the page already goes there and to the front instead.
   */
  openWindow(route: string, corner?: DisplayCorner): void;
  /** Closes the window of this page that was opened with a `corner`. */
  closeWindow(route: string): void;
  /** The number of waiting alarms on the program's icon; 0 removes it. */
  setBadge(count: number): void;
  /** Called with the page to open after a click on a notification or menu entry. Returns the unsubscription. */
  onRoute(listener: (route: string) => void): () => void;
  /** The program's menus, its tray and its own pages speak this language, and its pages have this palette. */
  setLook(look: ShellLook): void;
  /** Opens the sign-in of the station's provider in the browser of this machine: its pages do not open in a window. */
  beginProviderSignIn(): void;
  /** Called with the result of that browser. Returns the unsubscribe function. */
  onProviderSignIn(listener: (outcome: ProviderOutcome) => void): () => void;
}

/** The code and verifier that the station exchanges for a session, or the code of a refusal. */
export type ProviderOutcome = { readonly code: string; readonly verifier: string } | { readonly refused: string };

/** The upper left corner of the usable part of a display, in pixels of all displays together. */
export interface DisplayCorner {
  readonly left: number;
  readonly top: number;
}

/** The corner that a window or a stored layout names; undefined for anything else. */
export function readCorner(value: unknown): DisplayCorner | undefined {
  const { left, top } = (typeof value === 'object' && value !== null ? value : {}) as Partial<DisplayCorner>;
  return Number.isSafeInteger(left) && Number.isSafeInteger(top) ? { left: left!, top: top! } : undefined;
}

const PALETTES = ['day', 'dusk', 'night'] as const;
export type WindowPalette = (typeof PALETTES)[number];

export interface ShellLook {
  readonly language: Language;
  readonly palette: WindowPalette;
}

/** The look that a window or a file names; undefined for anything else. */
export function readLook(value: unknown): ShellLook | undefined {
  const { language, palette } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ShellLook>;
  if (!LANGUAGES.includes(language!) || !PALETTES.includes(palette!)) return undefined;
  return { language: language!, palette: palette! };
}

export interface DesktopNotification {
  /** Identifies the cause: a second notification with this tag is ignored. At most 100 characters. */
  tag: string;
  title: string;
  body: string;
  /** Stays until somebody closes it. */
  urgent: boolean;
  route?: string;
}

/** The property of `window` that holds the bridge. */
export const BRIDGE = 'waypost';

/** Channels between window and program. */
export const CHANNELS = {
  notify: 'waypost:notify',
  withdraw: 'waypost:withdraw',
  openWindow: 'waypost:open-window',
  closeWindow: 'waypost:close-window',
  setBadge: 'waypost:set-badge',
  route: 'waypost:route',
  setLook: 'waypost:set-look',
  beginProviderSignIn: 'waypost:begin-provider-sign-in',
  providerSignIn: 'waypost:provider-sign-in',
} as const;

/** A page of the console: `#/…` in plain characters. Anything else that a window sends is not a route. */
export function isRoute(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 2_000 && /^#\/[\w\-./?=&,%+:;@$!~*'()]*$/.test(value);
}
