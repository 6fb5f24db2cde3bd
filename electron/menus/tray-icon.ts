import type * as Electron from 'electron';
import type { ShellTexts } from '../texts.ts';
import { trayMenu, type MenuActions, type MenuFacts } from './menus.ts';

type TrayParts = Pick<typeof Electron, 'app' | 'Menu' | 'Tray' | 'nativeImage'>;

/** The icon in the tray and the badge of the program: both show how many tasks wait. */
export class TrayIcon {
  readonly #electron: TrayParts;
  readonly #icon: string;
  #tray: Electron.Tray | undefined;
  #badge = 0;

  /** @param icon path of its picture */
  constructor(electron: TrayParts, icon: string) {
    this.#electron = electron;
    this.#icon = icon;
  }

  setBadge(count: number, texts: ShellTexts): void {
    this.#badge = count;
    this.#electron.app.setBadgeCount(count);
    this.#setToolTip(texts);
  }

  /** Shows the icon with this menu and language. */
  show(facts: MenuFacts, actions: MenuActions): void {
    const { Menu, Tray, nativeImage } = this.#electron;
    if (!this.#tray) {
      this.#tray = new Tray(nativeImage.createFromPath(this.#icon));
      this.#tray.on('click', () => actions.show());
    }
    this.#setToolTip(facts.texts);
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayMenu(facts, actions)));
  }

  #setToolTip(texts: ShellTexts): void {
    this.#tray?.setToolTip(this.#badge > 0 ? texts.waiting(this.#badge) : 'Waypost');
  }
}
