import type * as Electron from 'electron';
import { isRoute, type DisplayCorner } from '../shared/bridge.ts';
import { keepOnOrigin, windowPreferences } from './hardening.ts';
import { fitPlace, Places, SMALLEST, type Rectangle, type WindowPlace } from './places.ts';

type Parts = Pick<typeof Electron, 'BrowserWindow' | 'screen'>;

interface BoardsOptions {
  readonly origin: string;
  /** The file that stores the places of windows. */
  readonly placesFile: string;
  readonly preload: string;
  readonly icon: string;
  readonly devTools: boolean;
  /** Called when a window cannot show its page. Windows that could not are closed before; `open` opens them again. */
  failed(description: string): void;
}

const BOARD = '#/';
/** A card is the same page, whichever task it shows. */
const pageOf = (route: string): string => route.replace(/\?.*/, '');
/** Chromium's number for a load that another one has replaced. */
const ABORTED = -3;

/** The windows of the console: each has its page and its place, which are restored at the next start. */
export class Boards {
  readonly #electron: Parts;
  readonly #options: BoardsOptions;
  readonly #places: Places;
  readonly #windows = new Map<Electron.BrowserWindow, { route: string; isPanel: boolean }>();
  /** Places of windows that were closed because their station does not answer. */
  #waiting: WindowPlace[] = [];
  #isClosing = false;

  constructor(electron: Parts, options: BoardsOptions) {
    this.#electron = electron;
    this.#options = options;
    this.#places = new Places(options.placesFile);
  }

  get isEmpty(): boolean {
    return this.#windows.size === 0;
  }

  /** Opens the windows of the last run, or those that wait for their station. */
  open(): void {
    const places = this.#waiting.length > 0 ? this.#waiting : this.#windows.size > 0 ? [] : this.#places.load();
    this.#waiting = [];
    for (const place of places) this.#open(place);
    if (this.#windows.size === 0) this.openNew(BOARD);
  }

  /** The window in front, else any. */
  get front(): Electron.BrowserWindow | undefined {
    const focused = this.#electron.BrowserWindow.getFocusedWindow();
    return focused && this.#windows.has(focused) ? focused : [...this.#windows.keys()][0];
  }

  /** @param corner of the display that a layout names: then a window that shows the page goes there instead */
  openNew(route: string, corner?: DisplayCorner): void {
    const shows = corner && [...this.#windows].find(([, { route: shown }]) => pageOf(shown) === pageOf(route));
    if (shows) {
      const [window, shown] = shows;
      shown.isPanel = true;
      this.#moveTo(window, this.#workAreaAt(corner));
      return window.show();
    }
    const workArea = this.#workAreaAt(corner);
    const shift = 32 * this.#windows.size; // a new window does not hide the last one
    const width = Math.round(workArea.width * 0.9);
    const height = Math.round(workArea.height * 0.9);
    this.#open({
      route,
      width,
      height,
      x: workArea.x + Math.round((workArea.width - width) / 2) + shift,
      y: workArea.y + Math.round((workArea.height - height) / 2) + shift,
      maximized: this.#windows.size === 0,
      fullScreen: false,
      isPanel: corner !== undefined,
    });
  }

  /** Closes the window that a layout opened for this page. */
  closePanel(route: string): void {
    for (const [window, { route: shown, isPanel }] of this.#windows)
      if (isPanel && this.#windows.size > 1 && pageOf(shown) === pageOf(route)) window.close();
  }

  /** A window that is on that display stays where it is. */
  #moveTo(window: Electron.BrowserWindow, area: Rectangle): void {
    const { x, y, width, height } = window.getNormalBounds();
    const [middle, centre] = [x + width / 2, y + height / 2];
    if (middle >= area.x && middle < area.x + area.width && centre >= area.y && centre < area.y + area.height) return;
    const [isMaximized, isFullScreen] = [window.isMaximized(), window.isFullScreen()];
    if (isFullScreen) window.setFullScreen(false);
    if (isMaximized) window.unmaximize();
    const [wide, high] = [Math.min(width, area.width), Math.min(height, area.height)];
    window.setBounds({
      x: area.x + Math.round((area.width - wide) / 2),
      y: area.y + Math.round((area.height - high) / 2),
      width: wide,
      height: high,
    });
    if (isMaximized) window.maximize();
    if (isFullScreen) window.setFullScreen(true);
    this.#remember();
  }

  /** On the first display if the corner is on none of them. */
  #workAreaAt(corner: DisplayCorner | undefined): Rectangle {
    const { screen } = this.#electron;
    const areas = corner ? screen.getAllDisplays().map(({ workArea }) => workArea) : [];
    const area = areas.find(
      ({ x, y, width, height }) =>
        corner!.left >= x && corner!.left < x + width && corner!.top >= y && corner!.top < y + height,
    );
    return area ?? screen.getPrimaryDisplay().workArea;
  }

  /** Stores where the windows are, for the last time. */
  close(): void {
    if (this.#isClosing) return;
    this.#remember();
    this.#isClosing = true;
  }

  #open(place: WindowPlace): void {
    const { BrowserWindow, screen } = this.#electron;
    const { origin, preload, icon, devTools } = this.#options;
    const { x, y, width, height } = fitPlace(
      place,
      screen.getAllDisplays().map((display) => display.workArea),
    );
    const window = new BrowserWindow({
      x,
      y,
      width,
      height,
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      show: false,
      title: 'Waypost',
      icon,
      backgroundColor: '#10151b', // dark: a white flash would spoil an operator's night vision
      webPreferences: windowPreferences(preload, { devTools }),
    });
    const shown = { route: isRoute(place.route) ? place.route : BOARD, isPanel: place.isPanel === true };
    this.#windows.set(window, shown);
    keepOnOrigin(window.webContents, origin);
    window.once('ready-to-show', () => window.show());
    window.webContents.on('did-navigate-in-page', (_event, url) => {
      const hash = new URL(url).hash;
      shown.route = isRoute(hash) ? hash : BOARD;
      this.#remember();
    });
    window.webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
      if (isMainFrame && code !== ABORTED) this.#fail(window, description);
    });
    window.webContents.on('render-process-gone', (_event, details) => {
      if (details.reason !== 'clean-exit') window.reload();
    });
    for (const event of [
      'resized',
      'moved',
      'maximize',
      'unmaximize',
      'enter-full-screen',
      'leave-full-screen',
    ] as const) {
      window.on(event as 'resized', () => this.#remember());
    }
    window.on('close', () => this.#remember());
    window.on('closed', () => {
      this.#windows.delete(window);
      // The last window stays stored, so that the next run opens with it.
      if (this.#windows.size > 0) this.#remember();
    });
    if (place.maximized) window.maximize();
    if (place.fullScreen) window.setFullScreen(true);
    window.loadURL(`${origin}/${shown.route}`).catch(() => undefined); // `did-fail-load` has said it
  }

  /** A window without a page is of no use: it comes back, at its place, when the station answers. */
  #fail(window: Electron.BrowserWindow, description: string): void {
    if (this.#isClosing || !this.#windows.has(window)) return;
    this.#remember();
    this.#waiting.push(this.#placeOf(window));
    this.#windows.delete(window);
    window.destroy();
    this.#options.failed(description);
  }

  #placeOf(window: Electron.BrowserWindow): WindowPlace {
    const { route = BOARD, isPanel = false } = this.#windows.get(window) ?? {};
    return {
      ...window.getNormalBounds(),
      route,
      ...(isPanel && { isPanel }),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    };
  }

  #remember(): void {
    if (this.#isClosing) return;
    const open = [...this.#windows.keys()].filter((window) => !window.isDestroyed());
    const places = [...open.map((window) => this.#placeOf(window)), ...this.#waiting];
    if (places.length > 0) this.#places.save(places);
  }
}
