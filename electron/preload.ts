// Runs sandboxed in the window before the console. This file is the full list of what a window may request.
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE, CHANNELS, type ProviderOutcome, type WindowBridge } from '../shared/bridge.ts';

const bridge: WindowBridge = {
  notify: (notice) =>
    ipcRenderer.send(CHANNELS.notify, {
      tag: notice.tag,
      title: notice.title,
      body: notice.body,
      urgent: notice.urgent,
      route: notice.route,
    }),
  withdraw: (tag) => ipcRenderer.send(CHANNELS.withdraw, tag),
  openWindow: (route, corner) =>
    ipcRenderer.send(CHANNELS.openWindow, route, corner && { left: corner.left, top: corner.top }),
  closeWindow: (route) => ipcRenderer.send(CHANNELS.closeWindow, route),
  setBadge: (count) => ipcRenderer.send(CHANNELS.setBadge, count),
  onRoute(listener) {
    const heard = (_event: unknown, route: string) => listener(route);
    ipcRenderer.on(CHANNELS.route, heard);
    return () => ipcRenderer.removeListener(CHANNELS.route, heard);
  },
  beginProviderSignIn: () => ipcRenderer.send(CHANNELS.beginProviderSignIn),
  onProviderSignIn(listener) {
    const heard = (_event: unknown, outcome: ProviderOutcome) => listener(outcome);
    ipcRenderer.on(CHANNELS.providerSignIn, heard);
    return () => ipcRenderer.removeListener(CHANNELS.providerSignIn, heard);
  },
  setLook: ({ language, palette }) => ipcRenderer.send(CHANNELS.setLook, { language, palette }),
};

contextBridge.exposeInMainWorld(BRIDGE, bridge);
