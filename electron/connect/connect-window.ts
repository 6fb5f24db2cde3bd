import type * as Electron from 'electron';
import type { ShellLook } from '../../shared/bridge.ts';
import { hardenSession, keepOnOrigin, windowPreferences } from '../hardening.ts';
import { TEXTS } from '../texts.ts';
import { START_PAGE, PAGE_ORIGIN, servePage } from './page-files.ts';
import { CONNECT_CHANNELS, readRequest, type ConnectRequest, type ConnectState, type ConnectView } from './states.ts';

type Parts = Pick<typeof Electron, 'BrowserWindow' | 'ipcMain' | 'session'>;

interface ConnectWindowOptions {
  /** Folder with the built page and its preload script. */
  readonly folder: string;
  readonly preload: string;
  readonly icon: string;
  readonly devTools: boolean;
  readonly mayChoose: boolean;
  look(): ShellLook;
  asked(request: ConnectRequest): void;
  closed(): void;
}

/** Nothing of this page is stored: its session is in memory, and apart from the one of the console. */
const PARTITION = 'waypost-connect';

/** The window of the page that chooses a station, and says what is wrong with the connection to it. */
export class ConnectWindow {
  readonly #electron: Parts;
  readonly #options: ConnectWindowOptions;
  #window: Electron.BrowserWindow | undefined;
  #state: ConnectState | undefined;
  #isPrepared = false;

  constructor(electron: Parts, options: ConnectWindowOptions) {
    this.#electron = electron;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#window !== undefined;
  }

  /** Shows a state. Opens the window if it is closed. */
  show(state: ConnectState): void {
    this.#state = state;
    if (this.#window) this.send();
    else this.#open();
  }

  /** Sends what is to be seen once more, after the look has changed. */
  send(): void {
    if (!this.#state || !this.#window || this.#window.isDestroyed()) return;
    const { look, mayChoose } = this.#options;
    this.#window.webContents.send(CONNECT_CHANNELS.view, {
      state: this.#state,
      look: look(),
      mayChoose,
    } satisfies ConnectView);
  }

  focus(): void {
    this.#window?.show();
    this.#window?.focus();
  }

  close(): void {
    const window = this.#window;
    this.#window = undefined;
    window?.close();
  }

  #open(): void {
    const { BrowserWindow, session } = this.#electron;
    const { preload, icon, devTools, look } = this.#options;
    this.#prepare(session.fromPartition(PARTITION));
    const window = new BrowserWindow({
      width: 760,
      height: 740,
      minWidth: 480,
      minHeight: 480,
      show: false,
      title: TEXTS[look().language].connectTitle,
      icon,
      backgroundColor: '#10151b',
      autoHideMenuBar: true,
      webPreferences: { ...windowPreferences(preload, { devTools }), partition: PARTITION },
    });
    this.#window = window;
    keepOnOrigin(window.webContents, PAGE_ORIGIN);
    window.once('ready-to-show', () => window.show());
    window.on('closed', () => {
      if (this.#window !== window) return; // closed by the program
      this.#window = undefined;
      this.#options.closed();
    });
    window.loadURL(START_PAGE).catch(() => undefined); // it was closed before
  }

  #prepare(session: Electron.Session): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    const { folder, devTools, asked } = this.#options;
    hardenSession(session, { origin: PAGE_ORIGIN, permissions: [], devTools });
    servePage(session.protocol, folder);
    this.#electron.ipcMain.on(CONNECT_CHANNELS.request, (event, value: unknown) => {
      const frame = event.senderFrame;
      const request = readRequest(value);
      if (!request || frame === null || frame.parent !== null || !frame.url.startsWith(`${PAGE_ORIGIN}/`)) return;
      if (request.ask === 'view') this.send();
      else asked(request);
    });
  }
}
