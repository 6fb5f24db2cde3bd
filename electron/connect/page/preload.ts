// Runs sandboxed in the window of the connect page. This file is the full list of what that page may request.
import { contextBridge, ipcRenderer } from 'electron';
import { CONNECT_BRIDGE, CONNECT_CHANNELS, type ConnectBridge, type ConnectView } from '../states.ts';

const bridge: ConnectBridge = {
  send: (request) => ipcRenderer.send(CONNECT_CHANNELS.request, { ...request }),
  onView: (listener) =>
    void ipcRenderer.on(CONNECT_CHANNELS.view, (_event: unknown, view: ConnectView) => listener(view)),
};

contextBridge.exposeInMainWorld(CONNECT_BRIDGE, bridge);
