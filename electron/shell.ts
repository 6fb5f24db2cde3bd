import type * as Electron from 'electron';
import { join } from 'node:path';
import { CHANNELS, isRoute, type DesktopNotification } from '../shared/bridge.ts';
import { shortened } from '../shared/text/characters.ts';
import { belongsTo, hardenContents, hardenSession, windowPreferences } from './hardening.ts';
import { applicationMenu, trayMenu } from './menus.ts';
import { fitPlace, Places, SMALLEST, type WindowPlace } from './places.ts';

/** What the shell uses of Electron. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'ipcMain'
  | 'Menu'
  | 'Notification'
  | 'Tray'
  | 'dialog'
  | 'nativeImage'
  | 'screen'
  | 'session'
>;

/** The part of a station that the shell needs. */
export interface RunningStation {
  /** Where the console is, such as `http://127.0.0.1:8480`. */
  readonly address: string;
  stop(): Promise<void>;
}

interface ShellOptions {
  /** Opens the station in this process. */
  openStation(): Promise<RunningStation>;
  /** The bundled preload script. */
  preload: string;
  /** Folder with `icon.png` and `tray.png`. */
  icons: string;
  /** The file that stores the places of windows. */
  placesFile: string;
}

const BOARD = '#/';

/**
 * The desktop program: one instance, a station in its process, and windows that show its console. Closing the
 * last window does not stop the station, since trackers and other consoles use it; it stays in the tray.
 */
export class Shell {
  readonly #electron: ElectronParts;
  readonly #options: ShellOptions;
  readonly #places: Places;
  readonly #windows = new Map<Electron.BrowserWindow, { route: string }>();
  /** Shown notifications by their tag. */
  readonly #notifications = new Map<string, Electron.Notification>();
  #station: RunningStation | undefined;
  #tray: Electron.Tray | undefined;
  #quitting = false;
  #stopped: Promise<void> | undefined;

  constructor(electron: ElectronParts, options: ShellOptions) {
    this.#electron = electron;
    this.#options = options;
    this.#places = new Places(options.placesFile);
  }

  /**
   * Resolves when the windows of the last run are open; with false when another instance runs already, which
   * is then brought to the front.
   */
  async start(): Promise<boolean> {
    const { app, ipcMain, session } = this.#electron;
    if (!app.requestSingleInstanceLock()) {
      app.quit();
      return false;
    }
    app.on('second-instance', () => this.show());
    app.on('activate', () => this.show());
    app.on('window-all-closed', () => undefined); // without a listener Electron would quit, and the station with it
    app.on('before-quit', (event) => this.#beforeQuit(event));

    await app.whenReady();
    try {
      this.#station = await this.#options.openStation();
    } catch (error) {
      this.#electron.dialog.showErrorBox(
        'Waypost cannot start',
        error instanceof Error ? error.message : String(error),
      );
      app.exit(1);
      return false;
    }
    hardenSession(session.defaultSession, this.#origin);
    app.on('web-contents-created', (_event, contents) => hardenContents(contents, this.#origin));

    ipcMain.on(CHANNELS.notify, (event, notice: unknown) => this.#fromOwnPage(event) && this.#notify(notice));
    ipcMain.on(CHANNELS.withdraw, (event, tag: unknown) => this.#fromOwnPage(event) && this.#withdraw(tag));
    ipcMain.on(
      CHANNELS.openWindow,
      (event, route: unknown) => this.#fromOwnPage(event) && isRoute(route) && this.#openNew(route),
    );
    ipcMain.on(CHANNELS.setBadge, (event, count: unknown) => this.#fromOwnPage(event) && this.#setBadge(count));

    this.#buildMenus();
    const remembered = this.#places.load();
    if (remembered.length === 0) this.#openNew(BOARD);
    else for (const place of remembered) this.#open(place);
    return true;
  }

  /** Brings a window to the front, or opens one when there is none. */
  show(route?: string): void {
    const window = this.#electron.BrowserWindow.getFocusedWindow() ?? [...this.#windows.keys()][0];
    if (!window) {
      if (this.#station) this.#openNew(route ?? BOARD);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (route) window.webContents.send(CHANNELS.route, route);
  }

  get #origin(): string {
    return new URL(this.#station!.address).origin;
  }

  /** Accepts messages of the console's main frame only. */
  #fromOwnPage(event: Electron.IpcMainEvent): boolean {
    return (
      event.senderFrame !== null && event.senderFrame.parent === null && belongsTo(event.senderFrame.url, this.#origin)
    );
  }

  #openNew(route: string): void {
    const { workArea } = this.#electron.screen.getPrimaryDisplay();
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
    });
  }

  #open(place: WindowPlace): void {
    const { BrowserWindow, screen } = this.#electron;
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
      icon: join(this.#options.icons, 'icon.png'),
      backgroundColor: '#10151b', // dark: a white flash would spoil an operator's night vision
      webPreferences: windowPreferences(this.#options.preload),
    });
    const shown = { route: isRoute(place.route) ? place.route : BOARD };
    this.#windows.set(window, shown);
    window.once('ready-to-show', () => window.show());
    window.webContents.on('did-navigate-in-page', (_event, url) => {
      const hash = new URL(url).hash;
      shown.route = isRoute(hash) ? hash : BOARD;
      this.#remember();
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
      if (this.#windows.size > 0 && !this.#quitting) this.#remember();
    });
    if (place.maximized) window.maximize();
    if (place.fullScreen) window.setFullScreen(true);
    window.loadURL(`${this.#origin}/${shown.route}`).catch((error: Error) => {
      if (!window.isDestroyed()) this.#electron.dialog.showErrorBox('The console does not open', error.message);
    });
  }

  #remember(): void {
    const places = [...this.#windows]
      .filter(([window]) => !window.isDestroyed())
      .map(([window, { route }]) => ({
        ...window.getNormalBounds(),
        route,
        maximized: window.isMaximized(),
        fullScreen: window.isFullScreen(),
      }));
    if (places.length > 0) this.#places.save(places);
  }

  #notify(value: unknown): void {
    const { Notification } = this.#electron;
    const notice = value as Partial<DesktopNotification> | null;
    if (
      !Notification.isSupported() ||
      typeof notice?.tag !== 'string' ||
      notice.tag.length > 100 ||
      typeof notice.title !== 'string' ||
      typeof notice.body !== 'string'
    )
      return;
    const { tag } = notice;
    if (this.#notifications.has(tag)) return; // another window has shown it
    const notification = new Notification({
      title: shortened(notice.title, 200),
      body: shortened(notice.body, 1000),
      urgency: notice.urgent ? 'critical' : 'normal',
      timeoutType: notice.urgent ? 'never' : 'default',
      silent: true, // the console plays sounds, and can mute them
    });
    const route = isRoute(notice.route) ? notice.route : undefined;
    this.#notifications.set(tag, notification);
    notification.on('close', () => this.#notifications.get(tag) === notification && this.#notifications.delete(tag));
    notification.on('click', () => {
      this.#notifications.delete(tag);
      this.show(route);
    });
    notification.show();
  }

  #withdraw(tag: unknown): void {
    if (typeof tag !== 'string') return;
    this.#notifications.get(tag)?.close();
    this.#notifications.delete(tag);
  }

  #setBadge(count: unknown): void {
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return;
    this.#electron.app.setBadgeCount(count);
    this.#tray?.setToolTip(count > 0 ? `Waypost: ${count} waiting` : 'Waypost');
  }

  #buildMenus(): void {
    const { Menu, Tray, nativeImage, app } = this.#electron;
    const actions = {
      newWindow: (route: string) => this.#openNew(route),
      show: () => this.show(),
      quit: () => app.quit(),
    };
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(actions)));
    this.#tray = new Tray(nativeImage.createFromPath(join(this.#options.icons, 'tray.png')));
    this.#tray.setToolTip('Waypost');
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayMenu(actions)));
    this.#tray.on('click', () => this.show());
  }

  /** Stops the station before the program ends, so that no transaction is left open. */
  #beforeQuit(event: Electron.Event): void {
    if (!this.#quitting) {
      this.#quitting = true;
      this.#remember();
    }
    if (!this.#station) return;
    event.preventDefault();
    this.#stopped ??= this.#station.stop().then(
      () => this.#electron.app.exit(0),
      () => this.#electron.app.exit(1),
    );
  }
}
