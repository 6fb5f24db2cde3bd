import type { MenuItemConstructorOptions } from 'electron';

interface MenuActions {
  newWindow(route: string): void;
  show(): void;
  quit(): void;
}

/** The usual menu of a desktop program, and new windows. The console itself handles the keys of the board. */
export function applicationMenu(actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    {
      label: '&Waypost',
      submenu: [
        { label: 'New &board', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newWindow('#/') },
        { label: 'New &wall map', accelerator: 'CmdOrCtrl+Shift+M', click: () => actions.newWindow('#/map') },
        { type: 'separator' },
        { label: '&Quit and stop the station', accelerator: 'CmdOrCtrl+Q', click: () => actions.quit() },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'resetZoom' },
        { type: 'separator' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ];
}

export function trayMenu(actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    { label: 'Show Waypost', click: () => actions.show() },
    { label: 'New board', click: () => actions.newWindow('#/') },
    { label: 'New wall map', click: () => actions.newWindow('#/map') },
    { type: 'separator' },
    { label: 'Quit and stop the station', click: () => actions.quit() },
  ];
}
