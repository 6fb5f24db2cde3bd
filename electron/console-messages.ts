import type * as Electron from 'electron';
import { CHANNELS, isRoute, readCorner, readLook, type ShellLook } from '../shared/bridge.ts';
import { belongsTo } from './hardening.ts';

interface ConsoleMessages {
  /** Origin of the console; undefined: no page of it is open. */
  origin(): string | undefined;
  notify(notice: unknown): void;
  withdraw(tag: unknown): void;
  openWindow(route: string, corner: ReturnType<typeof readCorner>): void;
  closeWindow(route: string): void;
  setBadge(count: number): void;
  setLook(look: ShellLook): void;
  beginProviderSignIn(asker: Electron.WebContents): void;
}

/** Listens to the console's pages. Ignores messages of other pages and frames, and values of a wrong form. */
export function listenToConsole(ipcMain: Electron.IpcMain, to: ConsoleMessages): void {
  const listen = (channel: string, heard: (value: unknown, more: unknown, sender: Electron.WebContents) => void) => {
    ipcMain.on(channel, (event, value: unknown, more: unknown) => {
      if (fromOwnPage(event, to.origin())) heard(value, more, event.sender);
    });
  };
  listen(CHANNELS.notify, (notice) => to.notify(notice));
  listen(CHANNELS.withdraw, (tag) => to.withdraw(tag));
  listen(CHANNELS.openWindow, (route, corner) => isRoute(route) && to.openWindow(route, readCorner(corner)));
  listen(CHANNELS.closeWindow, (route) => isRoute(route) && to.closeWindow(route));
  listen(CHANNELS.setBadge, (count) => isCount(count) && to.setBadge(count));
  listen(CHANNELS.beginProviderSignIn, (_value, _more, sender) => to.beginProviderSignIn(sender));
  listen(CHANNELS.setLook, (value) => {
    const look = readLook(value);
    if (look) to.setLook(look);
  });
}

/** Accepts messages of the console's main frame only. */
function fromOwnPage({ senderFrame }: Electron.IpcMainEvent, origin: string | undefined): boolean {
  return (
    origin !== undefined && senderFrame !== null && senderFrame.parent === null && belongsTo(senderFrame.url, origin)
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
