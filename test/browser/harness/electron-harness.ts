import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page, Request } from 'playwright';
import type { ElectronParts } from '../../../electron/shell.ts';
import type { Rectangle } from '../../../electron/places.ts';
import { HarnessSession } from './electron-session.ts';

/**
 * Electron's main-process interface over Chromium: a window is a page, its preload script runs in that page
 * before the console does, and messages between the two go the same ways. So the shell's real code runs where
 * Electron's binary cannot be had. What it cannot show (the operating system's own windows, its tray and
 * notifications) is written down here for a test to read.
 */
export class ElectronHarness {
  readonly windows: HarnessWindow[] = [];
  readonly notifications: { options: Record<string, unknown>; emitter: EventEmitter; closed: boolean }[] = [];
  readonly refused: string[] = [];
  readonly errors: string[] = [];
  /** Addresses that the browser of the machine was to open. */
  readonly openedElsewhere: string[] = [];
  badge = 0;
  exitCode: number | undefined;
  displays: Rectangle[] = [{ x: 0, y: 0, width: 1600, height: 900 }];
  /** What the system speaks. */
  languages = ['en-GB'];
  isDark = false;
  isPackaged = false;
  /** The file that a person chooses in the dialog. */
  chosenFile: string | undefined;
  /** The words of the next start, where the program has asked for one. */
  relaunched: string[] | undefined;
  readonly sessions = new Map<string, HarnessSession>();
  toolTip = '';
  /** False: another instance holds the lock. */
  firstInstance = true;
  trayMenu: MenuTemplate = [];
  applicationMenu: MenuTemplate = [];
  readonly app = new EventEmitter();
  readonly ipc = new EventEmitter();
  readonly #context: BrowserContext;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** What `import electron from 'electron'` gives the shell. */
  parts(): ElectronParts {
    return partsOf(this, this.#context);
  }

  session(partition = ''): HarnessSession {
    const known = this.sessions.get(partition) ?? new HarnessSession();
    this.sessions.set(partition, known);
    return known;
  }

  async guardRequests(): Promise<void> {
    this.#context.on('response', (response) => {
      const request = response.request();
      const page = pageOf(request);
      if (!page || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
      const receive = (headers: { name: string; value: string }[]) =>
        this.#sessionOf(page).receives(fromWeb(request.url()), headers);
      response.headersArray().then(receive, () => undefined); // its window is gone
    });
    await this.#context.route('**', async (route) => {
      const request = route.request();
      const url = fromWeb(request.url());
      const page = pageOf(request);
      // A page that is only just being opened by another one: whether it may is asked of the window handler.
      if (!page) return route.abort();
      const window = this.windows.find((one) => one.loaded === page);
      const session = this.#sessionOf(page);
      const navigates = request.isNavigationRequest() && window !== undefined && window.navigated;
      if (!session.mayRequest(url, request.resourceType()) || (navigates && !window.mayNavigate(url))) {
        this.refused.push(url);
        // An aborted navigation can leave an error page; "no content" leaves the page where it is, as a
        // prevented one does.
        await (navigates ? route.fulfill({ status: 204 }) : route.abort());
      } else if (await session.answers(route, url)) return;
      else if (!(await session.accepts(url))) await route.abort();
      else await route.continue();
    });
  }

  #sessionOf(page: Page): HarnessSession {
    return this.windows.find(({ loaded }) => loaded === page)?.session ?? this.session();
  }
}

/** Chromium knows no scheme of ours: in its place stands a host that is nowhere. */
const toWeb = (url: string): string => url.replace(/^waypost:\/\/(\w+)\//, 'http://$1.waypost.invalid/');
const fromWeb = (url: string): string => url.replace(/^http:\/\/(\w+)\.waypost\.invalid\//, 'waypost://$1/');

function partsOf(harness: ElectronHarness, context: BrowserContext): ElectronParts {
  const app = Object.defineProperties(
    harness.app,
    Object.getOwnPropertyDescriptors({
      get isPackaged() {
        return harness.isPackaged;
      },
      getLocale: () => harness.languages[0]!,
      getPreferredSystemLanguages: () => harness.languages,
      relaunch: ({ args }: { args: string[] }) => (harness.relaunched = args),
      commandLine: { appendSwitch: () => undefined },
      getPath: (name: string) => `${process.env.WAYPOST_TEST_USER_DATA ?? '.'}/${name}`,
      requestSingleInstanceLock: () => harness.firstInstance,
      whenReady: async () => {
        await harness.guardRequests();
      },
      quit: () => {
        let prevented = false;
        harness.app.emit('before-quit', { preventDefault: () => (prevented = true) });
        if (!prevented) harness.exitCode ??= 0;
      },
      exit: (code: number) => (harness.exitCode ??= code),
      setBadgeCount: (count: number) => (harness.badge = count),
    }),
  );
  class BrowserWindow extends HarnessWindow {
    constructor(options: WindowOptions) {
      super(harness, context, options);
    }
    static getFocusedWindow = () => harness.windows.find((window) => window.focused) ?? null;
  }
  class Notification extends EventEmitter {
    static isSupported = () => true;
    constructor(options: Record<string, unknown>) {
      super();
      harness.notifications.push({ options, emitter: this, closed: false });
    }
    show(): void {}
    close(): void {
      harness.notifications.find(({ emitter }) => emitter === this)!.closed = true;
      this.emit('close');
    }
  }
  class Tray extends EventEmitter {
    setToolTip(text: string): void {
      harness.toolTip = text;
    }
    setContextMenu(menu: MenuTemplate): void {
      harness.trayMenu = menu;
    }
  }
  const parts = {
    app,
    BrowserWindow,
    Notification,
    Tray,
    ipcMain: harness.ipc,
    Menu: {
      buildFromTemplate: (template: MenuTemplate) => template,
      setApplicationMenu: (menu: MenuTemplate) => (harness.applicationMenu = menu),
    },
    nativeImage: { createFromPath: (path: string) => ({ path, bytes: readFileSync(path).length }) },
    dialog: {
      showErrorBox: (title: string, text: string) => harness.errors.push(`${title}: ${text}`),
      showOpenDialog: async () => ({ filePaths: harness.chosenFile === undefined ? [] : [harness.chosenFile] }),
    },
    nativeTheme: {
      get shouldUseDarkColors() {
        return harness.isDark;
      },
    },
    protocol: { registerSchemesAsPrivileged: () => undefined },
    screen: {
      getAllDisplays: () => harness.displays.map((workArea) => ({ workArea })),
      getPrimaryDisplay: () => ({ workArea: harness.displays[0] }),
    },
    shell: { openExternal: async (address: string) => void harness.openedElsewhere.push(address) },
    session: {
      defaultSession: harness.session(),
      fromPartition: (name: string) => harness.session(name),
    },
  };
  return parts as unknown as ElectronParts;
}

/** The page that asks; undefined for the first request of a page that has no frame yet. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

export type MenuTemplate = { label?: string; role?: string; click?: () => void; submenu?: MenuTemplate }[];
interface WindowOptions extends Partial<Rectangle> {
  webPreferences: { preload: string; partition?: string };
}

class HarnessWindow extends EventEmitter {
  readonly webContents: EventEmitter & {
    setWindowOpenHandler(handler: () => { action: string }): void;
    isDestroyed(): boolean;
    send(channel: string, ...args: unknown[]): void;
    getURL(): string;
  };
  readonly page: Promise<Page>;
  loaded: Page | undefined;
  navigated = false;
  focused = false;
  shown = false;
  maximized = false;
  fullScreen = false;
  bounds: Rectangle;
  readonly options: WindowOptions;
  readonly session: HarnessSession;
  readonly #harness: ElectronHarness;
  #openHandler: () => { action: string } = () => ({ action: 'allow' });
  #destroyed = false;

  constructor(harness: ElectronHarness, context: BrowserContext, options: WindowOptions) {
    super();
    this.#harness = harness;
    this.options = options;
    this.session = harness.session(options.webPreferences.partition);
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    const contents = new EventEmitter();
    this.webContents = Object.assign(contents, {
      isDestroyed: () => !harness.windows.includes(this),
      setWindowOpenHandler: (handler: () => { action: string }) => (this.#openHandler = handler),
      send: (channel: string, ...args: unknown[]) => {
        // A page that is not there yet, or not any more, hears nothing.
        const say = async (): Promise<void> =>
          (await this.page).evaluate(([to, given]) => (window as unknown as Bridge).__heard?.(to, given), [
            channel,
            args,
          ] as const);
        void say().catch(() => undefined);
      },
      getURL: () => fromWeb(this.loaded?.url() ?? ''),
    });
    this.page = this.#open(context);
    harness.windows.push(this);
    harness.app.emit('web-contents-created', {}, this.webContents);
  }

  async #open(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    this.loaded = page;
    await page.setViewportSize({ width: this.bounds.width, height: this.bounds.height });
    await page.exposeBinding('__sent', (source, channel: string, args: unknown[]) => {
      const frame = { url: fromWeb(source.frame.url()), parent: source.frame.parentFrame() };
      this.#harness.ipc.emit(channel, { senderFrame: frame, sender: this.webContents }, ...args);
    });
    await page.addInitScript(`(() => {
      const heard = new Map();
      window.__heard = (channel, args) => (heard.get(channel) ?? []).forEach((listener) => listener({}, ...args));
      const electron = {
        contextBridge: { exposeInMainWorld: (name, value) => { window[name] = value; } },
        ipcRenderer: {
          send: (channel, ...args) => window.__sent(channel, JSON.parse(JSON.stringify(args))),
          on: (channel, listener) => heard.set(channel, [...(heard.get(channel) ?? []), listener]),
          removeListener: (channel, listener) => heard.set(channel, (heard.get(channel) ?? []).filter((one) => one !== listener)),
        },
      };
      const require = (name) => { if (name === 'electron') return electron; throw new Error('A sandboxed preload may not require ' + name); };
      const module = { exports: {} }; const exports = module.exports;
      ${readFileSync(this.options.webPreferences.preload, 'utf8')}
    })();`);
    page.on('popup', (popup) => {
      if (this.#openHandler().action === 'deny') {
        this.#harness.refused.push(`window ${popup.url()}`);
        void popup.close();
      }
    });
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return;
      if (this.navigated) this.webContents.emit('did-navigate-in-page', {}, fromWeb(frame.url()));
      this.navigated ||= frame.url() !== 'about:blank';
    });
    return page;
  }

  mayNavigate(url: string): boolean {
    let prevented = false;
    this.webContents.emit('will-navigate', { url, preventDefault: () => (prevented = true) });
    return !prevented;
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page;
    await this.#load(() => page.goto(toWeb(url)));
    this.emit('ready-to-show');
  }

  reload(): void {
    void this.page.then((page) => this.#load(() => page.reload())).catch(() => undefined);
  }

  async #load(load: () => Promise<unknown>): Promise<void> {
    try {
      await load();
    } catch (error) {
      this.webContents.emit('did-fail-load', {}, -2, 'ERR_FAILED', this.webContents.getURL(), true);
      throw error;
    }
  }

  destroy(): void {
    void this.close();
  }
  show(): void {
    this.shown = true;
  }
  focus(): void {
    for (const window of this.#harness.windows) window.focused = window === this;
  }
  restore(): void {}
  isMinimized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  maximize(): void {
    this.maximized = true;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  setFullScreen(on: boolean): void {
    this.fullScreen = on;
  }
  isFullScreen(): boolean {
    return this.fullScreen;
  }
  unmaximize(): void {
    this.maximized = false;
  }
  setBounds(bounds: Rectangle): void {
    this.bounds = bounds;
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }
  async close(): Promise<void> {
    this.emit('close');
    this.#destroyed = true;
    this.#harness.windows.splice(this.#harness.windows.indexOf(this), 1);
    this.emit('closed');
    if (this.#harness.windows.length === 0) this.#harness.app.emit('window-all-closed');
    await (await this.page).close();
  }
}

interface Bridge {
  __heard?(channel: string, args: unknown[]): void;
}
