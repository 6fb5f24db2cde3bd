import type { DisplayCorner } from '../../../../shared/bridge.ts';
import { PANEL_ROUTES, type PanelName } from '../board-layouts.ts';
import { desktopProgram } from './desktop-notices.ts';

/**
 * Opens the panel's own window, if this computer has another display for it. Browsers name displays only over TLS or
 * at this computer, and open one window for each press: false for others, so that nothing is out of sight.
 */
export function openPanelWindow(name: PanelName, corner?: DisplayCorner): boolean {
  return hasOtherDisplay() && openWindowOf(name, corner);
}

/** By it the browser finds the window again, also after a reload of either. */
const windowNameOf = (name: PanelName) => `waypost-${name}`;

const hasOtherDisplay = () => (screen as Screen & { readonly isExtended?: boolean }).isExtended === true;

/**
 * False where the browser refuses. Again for the same panel it is the same window.
 * @param corner of its display; a window of a display that is missing comes on the first one
 */
export function openWindowOf(name: PanelName, corner?: DisplayCorner): boolean {
  const route = `#${PANEL_ROUTES[name]}`;
  const program = desktopProgram();
  if (program) {
    program.openWindow(route, corner);
    return true;
  }
  const place = corner ? `,left=${present(corner).left + MARGIN},top=${present(corner).top + MARGIN}` : '';
  return window.open(route, windowNameOf(name), `popup,width=960,height=720${place}`) !== null;
}

/** px from the corner of the display to its window */
const MARGIN = 40;

interface DisplayDetails {
  readonly availLeft: number;
  readonly availTop: number;
  readonly availWidth: number;
  readonly availHeight: number;
  readonly isPrimary: boolean;
}
type ScreenWindow = Window & { getScreenDetails?(): Promise<{ readonly screens: readonly DisplayDetails[] }> };
let details: { readonly screens: readonly DisplayDetails[] } | undefined;

/**
 * Learns which displays there are. Without it a browser keeps each window on the display of the one that opens it.
 * @param asks the person, from a press of theirs
 */
export async function learnDisplays({ asks }: { readonly asks: boolean }): Promise<void> {
  const { getScreenDetails } = window as ScreenWindow;
  if (!getScreenDetails || !hasOtherDisplay() || desktopProgram()) return;
  try {
    const { state } = await navigator.permissions.query({ name: 'window-management' as PermissionName });
    if (asks || state === 'granted') details = await getScreenDetails.call(window);
  } catch {
    return; // refused, or an older browser
  }
}

/** The first display in the place of one that is known to be missing. */
function present(corner: DisplayCorner): DisplayCorner {
  const screens = details?.screens ?? [];
  const isThere = screens.some(
    ({ availLeft, availTop, availWidth, availHeight }) =>
      corner.left >= availLeft &&
      corner.left < availLeft + availWidth &&
      corner.top >= availTop &&
      corner.top < availTop + availHeight,
  );
  const first = isThere ? undefined : screens.find(({ isPrimary }) => isPrimary);
  return first ? { left: first.availLeft, top: first.availTop } : corner;
}

/** Between windows of panels and the board. `here`, `gone` and `moved` come from a panel, the others from a board. */
type PanelMessage =
  | { readonly kind: 'here' | 'gone' | 'close'; readonly name: PanelName }
  | { readonly kind: 'moved' | 'go'; readonly name: PanelName; readonly corner: DisplayCorner }
  | { readonly kind: 'who' };
const CHANNEL = 'waypost:panel-displays';
/** ms: a browser has no event for it. */
const LOOK_EVERY = 1_000;

/** Whether this window was opened for a panel. The desktop program knows that of its windows by itself. */
const isOwnWindowOf = (name: PanelName) => desktopProgram() !== undefined || window.name === windowNameOf(name);

/**
 * Reports to the board that this window is open, if it has a panel, and when it moves to another display;
 * closes or moves when a layout says so. Returns the function that ends this.
 */
export function attendBoard(panelOf: () => PanelName | undefined): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const say = (message: PanelMessage) => channel.postMessage(message);
  const ownPanel = () => {
    const name = panelOf();
    return name && isOwnWindowOf(name) ? name : undefined;
  };
  let toldName: PanelName | undefined;
  let told = ownCorner();
  function tellName(): void {
    const name = ownPanel();
    if (name === toldName) return;
    if (toldName) say({ kind: 'gone', name: toldName });
    if (name) say({ kind: 'here', name });
    toldName = name;
  }
  function look(): void {
    tellName();
    const corner = ownCorner();
    if (isSameCorner(corner, told)) return;
    told = corner;
    if (toldName) say({ kind: 'moved', name: toldName, corner });
  }
  channel.addEventListener('message', ({ data }: MessageEvent<PanelMessage>) => {
    const name = ownPanel();
    if (!name) return;
    if (data.kind === 'who') say({ kind: 'here', name });
    else if (data.name !== name) return;
    else if (data.kind === 'close') window.close();
    else if (data.kind === 'go' && !isSameCorner(ownCorner(), data.corner)) {
      told = data.corner; // the layout says so already
      window.moveTo(data.corner.left + MARGIN, data.corner.top + MARGIN);
    }
  });
  const leave = () => toldName && say({ kind: 'gone', name: toldName });
  window.addEventListener('pagehide', leave);
  tellName();
  const timer = setInterval(look, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    window.removeEventListener('pagehide', leave);
    leave();
    channel.close();
  };
}

const isSameCorner = (one: DisplayCorner, other: DisplayCorner) => one.left === other.left && one.top === other.top;

/** The windows of panels, for a board. */
export interface PanelWindows {
  /** Which of them are open, as far as a browser knows. */
  isOpen(name: PanelName): boolean;
  /** Puts a window that is open on a display. */
  move(name: PanelName, corner: DisplayCorner | undefined): void;
  close(name: PanelName): void;
  stop(): void;
}

/** @param moved called when a person puts a window of a panel on another display */
export function followPanelWindows(moved: (name: PanelName, corner: DisplayCorner) => void): PanelWindows {
  const channel = new BroadcastChannel(CHANNEL);
  const open = new Set<PanelName>();
  channel.addEventListener('message', ({ data }: MessageEvent<PanelMessage>) => {
    if (data.kind === 'here') open.add(data.name);
    else if (data.kind === 'gone') open.delete(data.name);
    else if (data.kind === 'moved') moved(data.name, data.corner);
  });
  const say = (message: PanelMessage) => channel.postMessage(message);
  say({ kind: 'who' });
  return {
    isOpen: (name) => open.has(name),
    move(name, corner) {
      if (!corner) return;
      if (desktopProgram()) openWindowOf(name, corner);
      else {
        const { left, top } = present(corner); // a copy: a reactive object cannot be sent
        say({ kind: 'go', name, corner: { left, top } });
      }
    },
    close(name) {
      open.delete(name);
      // An older program, whose station is newer, does not know it.
      if (desktopProgram()) desktopProgram()?.closeWindow?.(`#${PANEL_ROUTES[name]}`);
      else say({ kind: 'close', name });
    },
    stop: () => channel.close(),
  };
}

/** Of the display that this window is on. */
export function ownCorner(): DisplayCorner {
  const { availLeft = 0, availTop = 0 } = screen as Screen & {
    readonly availLeft?: number;
    readonly availTop?: number;
  };
  return { left: Math.round(availLeft), top: Math.round(availTop) };
}
