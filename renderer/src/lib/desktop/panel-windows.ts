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
  return window.open(route, `waypost-${name}`, `popup,width=960,height=720${place}`) !== null;
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

/** A panel's window has been moved to another display. */
interface DisplayMessage {
  readonly name: PanelName;
  readonly corner: DisplayCorner;
}
const CHANNEL = 'waypost:panel-displays';
/** ms: a browser has no event for it. */
const LOOK_EVERY = 1_000;

/** Tells the board when this window, if it is of a panel, goes to another display. Returns the end of it. */
export function tellDisplay(panelOf: () => PanelName | undefined): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let told = ownCorner();
  const timer = setInterval(() => {
    const [name, corner] = [panelOf(), ownCorner()];
    if (corner.left === told.left && corner.top === told.top) return;
    told = corner;
    if (name) channel.postMessage({ name, corner } satisfies DisplayMessage);
  }, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    channel.close();
  };
}

/** Hears where windows of panels go. Returns the end of it. */
export function hearDisplays(heard: (message: DisplayMessage) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<DisplayMessage>) => heard(data));
  return () => channel.close();
}

/** Of the display that this window is on. */
export function ownCorner(): DisplayCorner {
  const { availLeft = 0, availTop = 0 } = screen as Screen & {
    readonly availLeft?: number;
    readonly availTop?: number;
  };
  return { left: Math.round(availLeft), top: Math.round(availTop) };
}
