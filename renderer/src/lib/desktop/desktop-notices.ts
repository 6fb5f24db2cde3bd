import { BRIDGE, type DesktopNotification, type WindowBridge } from '../../../../shared/bridge.ts';

/**
 * Where notifications of the desktop go: through the desktop program, or, in a browser that was allowed to,
 * through the browser.
 */
type DesktopNotices = Pick<WindowBridge, 'notify' | 'withdraw' | 'setBadge' | 'onRoute'>;

/** The bridge to the desktop program; undefined in a browser. */
export const desktopProgram = (): WindowBridge | undefined =>
  (window as unknown as Record<string, WindowBridge | undefined>)[BRIDGE];

/**
 * Whether the browser shows notifications. Only `allowNotices` asks, from a click. `impossible` where there
 * are none, as over plain HTTP.
 */
export function noticesAllowed(): NotificationPermission | 'impossible' {
  if (desktopProgram()) return 'granted';
  return typeof Notification === 'undefined' || !isSecureContext ? 'impossible' : Notification.permission;
}

/** Asks the person through the browser. Browsers answer only from within a click. */
export async function allowNotices(): Promise<NotificationPermission | 'impossible'> {
  return noticesAllowed() === 'default' ? Notification.requestPermission() : noticesAllowed();
}

/**
 * The notifications of a browser: silent, since the console has its own sounds, and one for each thing,
 * however many tabs there are.
 */
export class BrowserNotices implements DesktopNotices {
  private readonly shown = new Map<string, Notification>();
  private listener: ((route: string) => void) | undefined;

  notify({ tag, title, body, urgent, route }: DesktopNotification): void {
    if (noticesAllowed() !== 'granted') return;
    const notification = new Notification(title, { tag, body, requireInteraction: urgent, silent: true });
    this.shown.set(tag, notification);
    notification.addEventListener('close', () => this.shown.get(tag) === notification && this.shown.delete(tag));
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      if (route) this.listener?.(route);
    });
  }

  withdraw(tag: string): void {
    this.shown.get(tag)?.close();
    this.shown.delete(tag);
  }

  /** A tab has no icon for a number. */
  setBadge(): void {}

  onRoute(listener: (route: string) => void): () => void {
    this.listener = listener;
    return () => (this.listener = undefined);
  }
}
