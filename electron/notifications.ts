import type * as Electron from 'electron';
import { isRoute, type DesktopNotification } from '../shared/bridge.ts';
import { shortened } from '../shared/text/characters.ts';

/** The notifications of the operating system, one for each cause, whichever window asked for it. */
export class Notifications {
  readonly #Notification: typeof Electron.Notification;
  /** Called when one is clicked, with the page that it is about. */
  readonly #clicked: (route: string | undefined) => void;
  readonly #shown = new Map<string, Electron.Notification>();

  constructor(Notification: typeof Electron.Notification, clicked: (route: string | undefined) => void) {
    this.#Notification = Notification;
    this.#clicked = clicked;
  }

  /** Shows a notification for a window. Ignores values of a wrong form. */
  show(value: unknown): void {
    const notice = value as Partial<DesktopNotification> | null;
    if (
      !this.#Notification.isSupported() ||
      typeof notice?.tag !== 'string' ||
      notice.tag.length > 100 ||
      typeof notice.title !== 'string' ||
      typeof notice.body !== 'string'
    )
      return;
    const { tag } = notice;
    if (this.#shown.has(tag)) return; // another window has shown it
    const notification = new this.#Notification({
      title: shortened(notice.title, 200),
      body: shortened(notice.body, 1000),
      urgency: notice.urgent ? 'critical' : 'normal',
      timeoutType: notice.urgent ? 'never' : 'default',
      silent: true, // the console plays sounds, and can mute them
    });
    const route = isRoute(notice.route) ? notice.route : undefined;
    this.#shown.set(tag, notification);
    notification.on('close', () => this.#shown.get(tag) === notification && this.#shown.delete(tag));
    notification.on('click', () => {
      this.#shown.delete(tag);
      this.#clicked(route);
    });
    notification.show();
  }

  withdraw(tag: unknown): void {
    if (typeof tag !== 'string') return;
    this.#shown.get(tag)?.close();
    this.#shown.delete(tag);
  }
}
