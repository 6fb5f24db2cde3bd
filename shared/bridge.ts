/**
 * What a window of the desktop program may ask of it, and nothing else: the whole of `electron/preload.ts`.
 * In a browser there is no bridge.
 */
export interface WindowBridge {
  /**
   * Shows a notification of the operating system. Clicking it brings a window to the front and, with `route`,
   * to that page.
   */
  notify(notice: Notice): void;
  /** Takes a notification away: somebody has answered what it tells of. */
  withdraw(tag: string): void;
  /** Opens a further window on a page of the console, such as `#/map`: a wall map, a second screen. */
  openWindow(route: string): void;
  /** The number on the program's icon: alarms that wait. 0 takes it away. */
  setBadge(count: number): void;
  /**
   * Told which page to go to: a notification was clicked, or a menu entry chosen. Returns the way to stop.
   */
  onRoute(listener: (route: string) => void): () => void;
}

export interface Notice {
  /**
   * What it is about: of several windows that tell of one thing, the first is heard. At most 100 characters.
   */
  tag: string;
  title: string;
  body: string;
  /** Stays until it is looked at. */
  urgent: boolean;
  route?: string;
}

/** Name under which the bridge stands in the window. */
export const BRIDGE = 'waypost';

/** Channels between window and program. */
export const CHANNELS = {
  notify: 'waypost:notify',
  withdraw: 'waypost:withdraw',
  openWindow: 'waypost:open-window',
  setBadge: 'waypost:set-badge',
  route: 'waypost:route',
} as const;

/** A page of the console: `#/…` in plain characters. Anything else that a window sends is not a route. */
export function isRoute(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 200 && /^#\/[\w\-./?=&,%]*$/.test(value);
}
