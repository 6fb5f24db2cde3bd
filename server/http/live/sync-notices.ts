import type { LiveClient } from './live-client.ts';
import type { LiveTimings } from './timings.ts';

export interface SyncSource {
  /** For every user. */
  state(): { readonly digest: string };
  /** For superusers. */
  links(): readonly { readonly lastContact: number | null }[];
  /** Calls the listener when a state or a link changes. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
}

export interface SyncNoticesOptions {
  readonly source: SyncSource;
  readonly timings: Pick<LiveTimings, 'syncChanges' | 'linksRefresh'>;
  readonly clients: ReadonlySet<LiveClient>;
  send(client: LiveClient, text: string): void;
}

/** Tells clients the state of replication with other stations, and superusers the state of each link. */
export class SyncNotices {
  readonly #options: SyncNoticesOptions;
  /** The state as sent last. */
  #stateSent = '';
  #linksSent = '';
  #linksSentAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SyncNoticesOptions) {
    this.#options = options;
  }

  lookSoon(): void {
    this.#timer ??= setTimeout(() => this.look(), this.#options.timings.syncChanges);
  }

  /** Sends the state of replication, and the links, to those who want them, when they have changed. */
  look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const clients = [...this.#options.clients].filter(({ replicated }) => replicated.size > 0);
    if (clients.length === 0) return;
    const state = this.stateText();
    const said = withoutContacts(state);
    if (said !== this.#stateSent) for (const client of clients) this.#options.send(client, state);
    this.#stateSent = said;
    const viewers = clients.filter(({ followsLinks, caller }) => followsLinks && caller.role.superuser);
    if (viewers.length === 0) return;
    const links = this.linksText();
    const known = withoutContacts(links);
    const now = performance.now();
    if (known === this.#linksSent && now - this.#linksSentAt < this.#options.timings.linksRefresh) return;
    for (const client of viewers) this.#options.send(client, links);
    this.#linksSent = known;
    this.#linksSentAt = now;
  }

  /** Without the digest, which each write changes. */
  stateText(): string {
    const { digest: _, ...state } = this.#options.source.state();
    return JSON.stringify({ command: 'SYNC_STATE', data: state });
  }

  linksText(): string {
    const { digest } = this.#options.source.state();
    return JSON.stringify({ command: 'LINKS', data: { links: this.#options.source.links(), digest } });
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** Times of contact and of confirmation change all the time while there is a contact. */
function withoutContacts(links: string): string {
  return links.replaceAll(/"(lastContact|confirmedAt|behind)":\d+/g, '');
}
