import type { MenuItemConstructorOptions } from 'electron';
import type { ShellTexts } from '../texts.ts';

export interface MenuActions {
  newWindow(route: string): void;
  show(): void;
  /** Undefined where an administrator has chosen the station. */
  chooseStation: (() => void) | undefined;
  quit(): void;
}

export interface MenuFacts {
  readonly texts: ShellTexts;
  /** The station runs in this program, and ends with it. */
  readonly hasStation: boolean;
  /** Only in development: packaged programs have no developer tools. */
  readonly hasDevTools: boolean;
}

/** A role brings its action and its keys; Electron's own names of roles are English. */
const role = (label: string, name: MenuItemConstructorOptions['role']): MenuItemConstructorOptions => ({
  label,
  role: name,
});

const LINE: MenuItemConstructorOptions = { type: 'separator' };

/** The usual menu of a desktop program, and new windows. The console itself handles the keys of the board. */
export function applicationMenu(
  { texts, hasStation, hasDevTools }: MenuFacts,
  { newWindow, chooseStation, quit }: MenuActions,
): MenuItemConstructorOptions[] {
  return [
    {
      label: '&Waypost',
      submenu: [
        { label: texts.newBoard, accelerator: 'CmdOrCtrl+Shift+N', click: () => newWindow('#/') },
        { label: texts.newMap, accelerator: 'CmdOrCtrl+Shift+M', click: () => newWindow('#/map') },
        { label: texts.newWall, click: () => newWindow('#/wall') },
        { label: texts.newQueue, click: () => newWindow('#/queue') },
        { label: texts.newCard, click: () => newWindow('#/card') },
        LINE,
        ...(chooseStation ? [{ label: texts.chooseStation, click: () => chooseStation() }, LINE] : []),
        { label: hasStation ? texts.quitStation : texts.quit, accelerator: 'CmdOrCtrl+Q', click: () => quit() },
      ],
    },
    {
      label: texts.edit,
      submenu: [
        role(texts.undo, 'undo'),
        role(texts.redo, 'redo'),
        LINE,
        role(texts.cut, 'cut'),
        role(texts.copy, 'copy'),
        role(texts.paste, 'paste'),
        role(texts.selectAll, 'selectAll'),
      ],
    },
    {
      label: texts.view,
      submenu: [
        role(texts.reload, 'reload'),
        role(texts.fullScreen, 'togglefullscreen'),
        LINE,
        role(texts.zoomIn, 'zoomIn'),
        role(texts.zoomOut, 'zoomOut'),
        role(texts.resetZoom, 'resetZoom'),
        ...(hasDevTools ? [LINE, role(texts.devTools, 'toggleDevTools')] : []),
      ],
    },
    { label: texts.window, submenu: [role(texts.minimize, 'minimize'), role(texts.close, 'close')] },
  ];
}

export function trayMenu(
  { texts, hasStation }: MenuFacts,
  { newWindow, show, chooseStation, quit }: MenuActions,
): MenuItemConstructorOptions[] {
  const plain = (text: string): string => text.replace('&', '');
  return [
    { label: texts.show, click: () => show() },
    { label: plain(texts.newBoard), click: () => newWindow('#/') },
    { label: plain(texts.newMap), click: () => newWindow('#/map') },
    { label: plain(texts.newWall), click: () => newWindow('#/wall') },
    { label: plain(texts.newQueue), click: () => newWindow('#/queue') },
    { label: plain(texts.newCard), click: () => newWindow('#/card') },
    LINE,
    ...(chooseStation ? [{ label: plain(texts.chooseStation), click: () => chooseStation() }, LINE] : []),
    { label: plain(hasStation ? texts.quitStation : texts.quit), click: () => quit() },
  ];
}
