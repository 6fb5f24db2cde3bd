import type * as Electron from 'electron';
import { join } from 'node:path';
import { CHANNELS, type ShellLook } from '../shared/bridge.ts';
import { Boards } from './boards.ts';
import { ConnectWindow } from './connect/connect-window.ts';
import { Connector, type Connection } from './connect/connector.ts';
import {
  ConnectionMemory,
  firstChoice,
  withoutConnectWords,
  WrongConsoleFile,
  type FirstChoice,
} from './connect/console-settings.ts';
import type { StationNearby } from './connect/states.ts';
import { listenToConsole } from './console-messages.ts';
import { forbidWindows, hardenSession, pinCertificate } from './hardening.ts';
import { LookMemory } from './look-memory.ts';
import { applicationMenu } from './menus/menus.ts';
import { TrayIcon } from './menus/tray-icon.ts';
import { Notifications } from './notifications.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import { TEXTS, type ShellTexts } from './texts.ts';

/** The parts of Electron that the shell uses. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'ipcMain'
  | 'Menu'
  | 'nativeTheme'
  | 'Notification'
  | 'Tray'
  | 'dialog'
  | 'nativeImage'
  | 'screen'
  | 'session'
  | 'shell'
>;

/** The part of a station that the shell needs. */
export interface RunningStation {
  /** Where the console is, such as `http://127.0.0.1:8480`. */
  readonly address: string;
  /** Page that sets a new station up; undefined: it is set up. */
  readonly setUpRoute?: string | undefined;
  stop(): Promise<void>;
}

export interface ShellOptions {
  /** Opens the station in this process. */
  openStation(): Promise<RunningStation>;
  /** The program's version: a station of another one is opened only when the person says so. */
  readonly version: string;
  /** Folder with the bundled preload scripts and the connect page. */
  readonly built: string;
  /** Folder with `icon.png` and `tray.png`. */
  readonly icons: string;
  /** Folder for the places of windows, the look, and the chosen station. */
  readonly userData: string;
  /** The `console.json` for all users of this machine. */
  readonly machineFile: string | undefined;
  /** Of the command line. */
  readonly words: readonly string[];
  /** Whether a station of this program has data already. */
  hasData(): boolean;
  browse(changed: (nearby: readonly StationNearby[]) => void): () => void;
  /** ms between two attempts to reach a station, and until a silent one counts as away. */
  readonly retryEvery?: number;
  readonly patience?: number;
}

const BOARD = '#/';
/** Permissions of the console's pages besides the network. */
const PERMISSIONS = ['notifications', 'fullscreen', 'clipboard-sanitized-write'];

/**
 * The desktop program: one instance, a station in its process or the connection to another one, and windows that
 * show its console. Closing the last window does not stop the station, since trackers and other consoles use it; it
 * stays in the tray.
 */
export class Shell {
  readonly #electron: ElectronParts;
  readonly #options: ShellOptions;
  readonly #memory: ConnectionMemory;
  readonly #notifications: Notifications;
  readonly #tray: TrayIcon;
  #look!: LookMemory;
  #first: FirstChoice = { choice: undefined, mayChoose: true, language: undefined };
  #connector!: Connector;
  #page!: ConnectWindow;
  #connection: Connection | undefined;
  #station: RunningStation | undefined;
  #boards: Boards | undefined;
  #providerSignIn: ProviderSignIn | undefined;
  #opening: Promise<boolean> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(electron: ElectronParts, options: ShellOptions) {
    this.#electron = electron;
    this.#options = options;
    this.#memory = new ConnectionMemory(join(options.userData, 'connection.json'));
    this.#notifications = new Notifications(electron.Notification, (route) => this.show(route));
    this.#tray = new TrayIcon(electron, join(options.icons, 'tray.png'));
  }

  /**
   * Resolves when the program has opened what it can without a person and without a network; with false when its
   * station cannot open, or when another instance runs already, which is then brought to the front.
   */
  async start(): Promise<boolean> {
    const { app } = this.#electron;
    if (!app.requestSingleInstanceLock()) {
      app.quit();
      return false;
    }
    app.on('second-instance', () => this.show());
    app.on('activate', () => this.show());
    app.on('window-all-closed', () => undefined); // without a listener Electron would quit, and the station with it
    app.on('before-quit', (event) => this.#beforeQuit(event));
    app.on('web-contents-created', (_event, contents) => forbidWindows(contents));

    await app.whenReady();
    this.#look = new LookMemory(join(this.#options.userData, 'look.json'), this.#systemLook());
    this.#listen();
    this.#begin();
    return (await this.#opening) ?? true;
  }

  /** Brings a window to the front, or opens one. */
  show(route?: string): void {
    const window = this.#boards?.front;
    if (!window || !this.#boards) {
      if (this.#page?.isOpen) this.#page.focus();
      else if (this.#boards) this.#boards.openNew(route ?? BOARD);
      else if (this.#connector) this.#page.show(this.#connector.state);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (route) window.webContents.send(CHANNELS.route, route);
  }

  get #texts(): ShellTexts {
    return TEXTS[this.#look.look.language];
  }

  get #devTools(): boolean {
    return !this.#electron.app.isPackaged;
  }

  get #origin(): string | undefined {
    if (this.#connection?.kind === 'station') return new URL(this.#connection.address).origin;
    return this.#station && new URL(this.#station.address).origin;
  }

  #systemLook(): ShellLook {
    const { app, nativeTheme } = this.#electron;
    const [first = app.getLocale()] = app.getPreferredSystemLanguages();
    return {
      language: first.startsWith('ru') ? 'ru' : 'en',
      palette: nativeTheme.shouldUseDarkColors ? 'dusk' : 'day',
    };
  }

  /** Reads the earlier decision and continues with it, or asks. */
  #begin(): void {
    const { words, userData, machineFile } = this.#options;
    let wrong: WrongConsoleFile | undefined;
    try {
      this.#first = firstChoice({
        words,
        memory: this.#memory,
        files: [machineFile, join(userData, 'console.json')],
        hasData: this.#options.hasData(),
      });
    } catch (error) {
      if (!(error instanceof WrongConsoleFile)) throw error;
      wrong = error;
    }
    const { language, mayChoose, choice } = this.#first;
    if (language && !this.#look.isStored) this.#look.change({ ...this.#look.look, language });
    this.#connector?.close();
    this.#page?.close();
    this.#connector = this.#makeConnector(mayChoose);
    this.#page = this.#makePage(mayChoose);
    this.#buildMenus();
    if (wrong) this.#connector.refuse(wrong);
    else this.#connector.start(choice);
  }

  #makeConnector(mayChoose: boolean): Connector {
    const { version, browse, retryEvery, patience } = this.#options;
    return new Connector({
      memory: this.#memory,
      version,
      mayChoose,
      show: (state) => this.#page.show(state),
      connected: (connection) => this.#connected(connection),
      pickFile: () => this.#pickFile(),
      browse,
      ...(retryEvery !== undefined && { retryEvery }),
      ...(patience !== undefined && { patience }),
    });
  }

  #makePage(mayChoose: boolean): ConnectWindow {
    const { built, icons } = this.#options;
    return new ConnectWindow(this.#electron, {
      folder: join(built, 'connect'),
      preload: join(built, 'connect-preload.cjs'),
      icon: join(icons, 'icon.png'),
      devTools: this.#devTools,
      mayChoose,
      look: () => this.#look.look,
      asked: (request) => {
        if (request.ask === 'look') this.#changeLook(request.look);
        else if (request.ask === 'retry' && this.#connector.state.kind === 'wrong-settings') this.#begin();
        else void this.#connector.answer(request);
      },
      closed: () => {
        // Without a station yet, closing the only window ends the program.
        if (!this.#connection) this.#electron.app.quit();
        else if (this.#boards && !this.#boards.isEmpty) this.#connector.close();
      },
    });
  }

  async #pickFile(): Promise<string | undefined> {
    const { filePaths } = await this.#electron.dialog.showOpenDialog({
      title: this.#texts.pickFile,
      properties: ['openFile'],
      filters: [{ name: 'console.json', extensions: ['json'] }],
    });
    return filePaths[0];
  }

  /** Opens the windows of a station; another station than before needs another start, which forgets everything. */
  #connected(connection: Connection): void {
    if (!this.#connection) {
      this.#connection = connection;
      this.#opening = this.#open(connection);
    } else if (isSame(this.#connection, connection)) this.#proceed();
    else this.#startAnew(connection);
  }

  async #open(connection: Connection): Promise<boolean> {
    if (connection.kind === 'here' && !(await this.#openStation())) return false;
    this.#openBoards();
    this.#buildMenus();
    this.#page.close();
    return true;
  }

  async #openStation(): Promise<boolean> {
    try {
      this.#station = await this.#options.openStation();
      return true;
    } catch (error) {
      this.#electron.dialog.showErrorBox(
        this.#texts.cannotStart,
        error instanceof Error ? error.message : String(error),
      );
      this.#electron.app.exit(1);
      return false;
    }
  }

  #openBoards(): void {
    const { session } = this.#electron;
    const { built, icons, userData } = this.#options;
    const connection = this.#connection!;
    const origin = this.#origin!;
    hardenSession(session.defaultSession, { origin, permissions: PERMISSIONS, devTools: this.#devTools });
    if (connection.kind === 'station')
      pinCertificate(session.defaultSession, connection.fingerprint, () => this.#connector.changed(connection));
    this.#boards = new Boards(this.#electron, {
      origin,
      placesFile: join(userData, 'windows.json'),
      preload: join(built, 'preload.cjs'),
      icon: join(icons, 'icon.png'),
      devTools: this.#devTools,
      failed: (description) => {
        if (connection.kind === 'here') this.#electron.dialog.showErrorBox(this.#texts.pageFails, description);
        else this.#connector.lost(connection, { code: 'broken-off', detail: description });
      },
    });
    const setUpRoute = this.#station?.setUpRoute;
    if (setUpRoute === undefined) this.#boards.open();
    else this.#boards.openNew(setUpRoute);
  }

  /** The same station answers again. */
  #proceed(): void {
    this.#boards!.open();
    this.#page.close();
  }

  /** Chromium remembers which certificates it refused: another one, as another station, needs another start. */
  #startAnew(connection: Connection): void {
    const { app } = this.#electron;
    const words = process.argv.slice(1);
    // A person's choice replaces the choice of the command line.
    app.relaunch({ args: addressOf(connection) === addressOf(this.#connection!) ? words : withoutConnectWords(words) });
    app.quit();
  }

  #listen(): void {
    listenToConsole(this.#electron.ipcMain, {
      origin: () => this.#origin,
      notify: (notice) => this.#notifications.show(notice),
      withdraw: (tag) => this.#notifications.withdraw(tag),
      openWindow: (route, corner) => this.#boards?.openNew(route, corner),
      closeWindow: (route) => this.#boards?.closePanel(route),
      setBadge: (count) => this.#tray.setBadge(count, this.#texts),
      setLook: (look) => this.#changeLook(look),
      beginProviderSignIn: (asker) => void this.#signInElsewhere(asker),
    });
  }

  /** The window that asked gets what the browser brings; a second attempt ends the first. */
  async #signInElsewhere(asker: Electron.WebContents): Promise<void> {
    this.#providerSignIn?.close();
    this.#providerSignIn = await ProviderSignIn.listen(this.#texts.signedInElsewhere, (outcome) => {
      if (!asker.isDestroyed()) asker.send(CHANNELS.providerSignIn, outcome);
      this.show();
    });
    await this.#electron.shell.openExternal(this.#providerSignIn.addressAt(this.#origin!));
  }

  #changeLook(look: ShellLook): void {
    if (!this.#look.change(look)) return;
    this.#buildMenus();
    this.#page.send();
  }

  #buildMenus(): void {
    const { Menu, app } = this.#electron;
    const facts = { texts: this.#texts, hasStation: this.#station !== undefined, hasDevTools: this.#devTools };
    const actions = {
      newWindow: (route: string) => this.#boards?.openNew(route),
      show: () => this.show(),
      chooseStation: this.#first.mayChoose ? () => this.#chooseStation() : undefined,
      quit: () => app.quit(),
    };
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(facts, actions)));
    this.#tray.show(facts, actions);
  }

  #chooseStation(): void {
    this.#connector.choose();
    this.#page.focus();
  }

  /** Stops the station before the program ends, so that no transaction is left open. */
  #beforeQuit(event: Electron.Event): void {
    this.#boards?.close();
    this.#connector?.close();
    this.#providerSignIn?.close();
    if (!this.#station) return;
    event.preventDefault();
    this.#stopped ??= this.#station.stop().then(
      () => this.#electron.app.exit(0),
      () => this.#electron.app.exit(1),
    );
  }
}

function addressOf(connection: Connection): string | undefined {
  return connection.kind === 'station' ? connection.address : undefined;
}

/** A station may have got another name meanwhile. */
function isSame(a: Connection, b: Connection): boolean {
  const pinOf = (connection: Connection) => (connection.kind === 'station' ? connection.fingerprint : undefined);
  return a.kind === b.kind && addressOf(a) === addressOf(b) && pinOf(a) === pinOf(b);
}
