import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { seesOrganization } from '../../../shared/access.ts';
import { effectOf } from '../../../shared/roads/closure-effect.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';
import type { StateRule } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { refusalHeaders } from '../../../shared/refusals/headers.ts';
import { reason, sentenceOf, type Reason } from '../../../shared/refusals/reason.ts';
import type { Caller } from '../../accounts/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import type { Planner } from '../../routing/index.ts';
import type { CollectionName, Feed } from '../../store/index.ts';
import type { TaskUnits } from '../../tasks/index.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import { addressOf, isOfThisMachine } from '../app/client.ts';
import { requireAccess, isSameOrigin, tokenOf, type Authenticate } from '../app/authenticate.ts';
import { presentUpdate } from '../fleet/vehicle-presenters.ts';
import { KeptStateMessages, LONG_LIST } from './kept-states.ts';
import { MessageQueue } from './message-queue.ts';
import { LimitedSocket, POLICY_VIOLATION, CLOSE_REASONS } from './limits.ts';
import { accessScope, collectionCalled, wireNameOf, type Replicated } from './replica-feed.ts';

interface LiveOptions {
  authenticate: Authenticate;
  /** The caller's current record; undefined when the token has ended. */
  renew(caller: Caller): Caller | undefined;
  fleet: Fleet;
  feed: Feed;
  /** What crews may report next, which their tasks decide. */
  units: Pick<TaskUnits, 'judge' | 'active'>;
  /** Reports when routing uses changed closures, speeds or roads. */
  router: Pick<Planner, 'closuresInForce' | 'onConditions'>;
  /** Replication with other stations, in the form of the interface. */
  sync: SyncSource;
  /** The state rules that roles refer to. */
  rules(): readonly StateRule[];
  timings?: Partial<LiveTimings>;
}

export interface SyncSource {
  /** For every user. */
  state(): { readonly digest: string };
  /** For superusers. */
  links(): readonly { readonly lastContact: number | null }[];
  /** Calls the listener when a state or a link changes. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** Milliseconds and bytes. Tests shorten them. */
export interface LiveTimings {
  /** Least time between two CAR_UPDATES to one client. */
  carUpdates: number;
  /** Least time between two REPLICA_CHANGES to one client. */
  replicaChanges: number;
  /** Between two looks at the state of replication: counts and ages of confirmations change without an event. */
  syncLooks: number;
  /** Least time between two looks. */
  syncChanges: number;
  /** After this time links are sent again although only their times of contact have changed. */
  linksRefresh: number;
  ping: number;
  /** A client that sends nothing for so long is disconnected. */
  idleTimeout: number;
  /** Above this many buffered bytes no positions are sent; newer ones replace them meanwhile. */
  positionsHighWater: number;
  /** Above this many buffered bytes the client is disconnected. */
  maxBuffered: number;
}

/** README rule 8. */
export const DEFAULT_TIMINGS: LiveTimings = {
  carUpdates: 250,
  replicaChanges: 100,
  syncLooks: 500,
  syncChanges: 100,
  linksRefresh: 5_000,
  ping: 30_000,
  idleTimeout: 90_000,
  positionsHighWater: 256 * 1024,
  maxBuffered: 8 * 1024 * 1024,
};

/** What clients hear changes of. Merges are read over HTTP. */
type Noticed = Replicated | 'merges';

function noticedCalled(name: unknown): Noticed | undefined {
  return name === 'merges' ? name : collectionCalled(name);
}

/** Among the names of SET_REPLICA: the links, which are sent whole. */
const LINKS = 'links';

const TRY_AGAIN_LATER = 1013;
const GOING_AWAY = 1001;
const TOKEN_ENDED = 'The token is no longer valid.';
/** ms that a client gets to answer the close frame. */
const CLOSE_TIMEOUT = 2_000;
/** The same for a slow client: the close frame waits behind its unread data. */
const SLOW_CLOSE_TIMEOUT = 5_000;

/** The WebSocket at `/ws`: positions, change notices for replicas, events, alarms and broadcasts. */
export class Live {
  readonly #options: LiveOptions;
  readonly #timings: LiveTimings;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: LIVE_LIMITS.longestMessage,
    perMessageDeflate: false,
    WebSocket: LimitedSocket,
  });
  readonly #clients = new Set<LiveClient>();
  readonly #queue = new MessageQueue();
  readonly #stops: (() => void)[];
  readonly #keptStates = new KeptStateMessages();
  readonly #texts = new WeakMap<LastState, string>();
  /** What was sent last of replication. */
  #syncSent = '';
  #linksSent = '';
  #linksSentAt = -Infinity;
  #syncLook: NodeJS.Timeout | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    const updates = setInterval(() => this.#sendPositions(), this.#timings.carUpdates);
    const pings = setInterval(() => this.#heartbeat(), this.#timings.ping);
    const syncLooks = setInterval(() => this.#lookAtSync(), this.#timings.syncLooks);
    this.#stops = [
      () => clearInterval(updates),
      () => clearInterval(pings),
      () => clearInterval(syncLooks),
      () => this.#keptStates.clear(),
      () => clearTimeout(this.#syncLook),
      options.sync.onChange(() => this.#lookAtSyncSoon()),
      options.feed.watch(() => this.#lookAtSyncSoon()),
      () => this.#queue.close(),
      options.fleet.states.watch((states) => this.#markMoved(states)),
      options.units.active.onChange((ids) => this.#markJudged(ids)),
      options.router.onConditions(() => this.#sendRoadsInForce()),
      // After all other listeners of this commit, so that state rules are up to date too.
      options.feed.watch((changed, head) => queueMicrotask(() => this.#markChanged(changed, head))),
    ];
  }

  /** Upgrades the connection to a WebSocket, or refuses it over HTTP. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if ((request.url ?? '').split('?')[0] !== '/ws')
      return refuseUpgrade(socket, 404, 'Not Found', new Refusal('request.socketPath'));
    const credentials = tokenOf(request);
    // A page of another site must not listen with the console's cookie.
    const caller =
      credentials && (credentials.from !== 'cookie' || isSameOrigin(request))
        ? this.#options.authenticate(credentials.token)
        : undefined;
    if (!credentials || !caller)
      return refuseUpgrade(socket, 401, 'Unauthorized', new Refusal('accounts.signInRequired'));
    try {
      requireAccess({ access: 'user', method: 'GET' }, caller);
    } catch (error) {
      if (error instanceof Refusal) return refuseUpgrade(socket, 403, 'Forbidden', error);
      throw error;
    }
    // Programs on this machine are not counted.
    const address = isOfThisMachine(request) ? undefined : addressOf(request);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#connect(webSocket, caller, address));
  };

  /** How many clients are connected. */
  get size(): number {
    return this.#clients.size;
  }

  /** Sends a message to every client. */
  broadcast(command: string, data: unknown): void {
    const text = JSON.stringify({ command, data });
    for (const client of this.#clients) this.#send(client, text);
  }

  /**
   * Sends new and changed events to the clients that follow their vehicles. Drops none: a client that is too
   * slow is disconnected and reads them over HTTP.
   */
  sendEvents(events: readonly { vehicleId: number; record: object }[]): void {
    for (const client of this.#clients) {
      const wanted = events.filter((event) => this.#follows(client, event.vehicleId)).map((event) => event.record);
      if (wanted.length > 0) this.#send(client, JSON.stringify({ command: 'EVENT_UPDATES', data: wanted }));
    }
  }

  /** Sends new and changed alarms to everybody who may see them. Drops none. */
  sendAlarms(alarms: readonly { record: object; maySee(caller: Caller): boolean }[]): void {
    for (const client of this.#clients) {
      const seen = alarms.filter((alarm) => alarm.maySee(client.caller)).map((alarm) => alarm.record);
      if (seen.length > 0) this.#send(client, JSON.stringify({ command: 'ALARM_UPDATES', data: seen }));
    }
  }

  /** Closes the connections of a token that was revoked. */
  disconnect(tokenId: number): void {
    for (const { caller, socket } of this.#clients)
      if (caller.token.id === tokenId) closeWith(socket, POLICY_VIOLATION, TOKEN_ENDED);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    for (const client of this.#clients) {
      clearTimeout(client.nudge);
      client.socket.close(GOING_AWAY, 'The station stops.');
      client.socket.terminate();
    }
    this.#clients.clear();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #connect(socket: WebSocket, caller: Caller, address: string | undefined): void {
    const now = performance.now();
    const sent = new TokenBucket(LIVE_LIMITS.messagesPerSecond, LIVE_LIMITS.burst, now);
    const client: LiveClient = {
      socket,
      caller,
      address,
      scope: accessScope(caller, this.#options.rules()),
      followed: new Set(),
      moved: new Set(),
      replicated: new Set(),
      followsLinks: false,
      changed: new Set(),
      nudge: undefined,
      lastNudge: 0,
      lastHeard: now,
    };
    const socketsOfUser = [...this.#clients].filter((other) => other.caller.user.id === caller.user.id).length;
    const socketsOfAddress =
      address === undefined ? 0 : [...this.#clients].filter((other) => other.address === address).length;
    this.#clients.add(client);
    /**
     * Counts a message or ping against the rate limit. False: the client is over it and is being
     * disconnected.
     */
    const heard = (): boolean => {
      if (socket.readyState !== socket.OPEN) return false;
      client.lastHeard = performance.now();
      if (sent.take(client.lastHeard)) return true;
      closeWith(socket, POLICY_VIOLATION, CLOSE_REASONS.tooMany);
      return false;
    };
    socket.on('message', (data, isBinary) => {
      if (heard()) this.#queue.enqueue(socket, lengthOf(data), () => this.#handle(client, data, isBinary));
    });
    socket.on('ping', heard);
    socket.on('pong', heard);
    // A malformed frame, or a message that is too large: the library sends the close frame.
    socket.on('error', () => terminateLater(socket));
    socket.on('close', () => {
      clearTimeout(client.nudge);
      this.#queue.remove(socket);
      this.#clients.delete(client);
    });
    if (socketsOfUser >= LIVE_LIMITS.sockets) closeWith(socket, POLICY_VIOLATION, CLOSE_REASONS.tooManySockets);
    else if (socketsOfAddress >= LIVE_LIMITS.socketsOfAddress)
      closeWith(socket, POLICY_VIOLATION, CLOSE_REASONS.tooManyFromAddress);
  }

  #handle(client: LiveClient, data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : parse(data);
    if (!message) return this.#sendError(client, reason('request.socketMessage'));
    switch (message.command) {
      case 'SET_OBSERVABLE_CARS':
        return this.#follow(client, message.command, message.data);
      case 'ADD_OBSERVABLE_CARS':
        return this.#follow(client, message.command, message.data);
      case 'SET_REPLICA':
        return this.#replicate(client, message.data);
      default:
        return this.#sendError(client, reason('request.socketCommand', { command: message.command.slice(0, 100) }));
    }
  }

  /** SET replaces the list; ADD appends, because a long list does not fit into one message. */
  #follow(client: LiveClient, command: 'SET_OBSERVABLE_CARS' | 'ADD_OBSERVABLE_CARS', data: unknown): void {
    if (!Array.isArray(data) || !data.every((one) => Number.isSafeInteger(one)))
      return this.#sendError(client, reason('request.socketVehicles', { command }));
    if (command === 'SET_OBSERVABLE_CARS') {
      client.moved.clear();
      client.followed = new Set();
    }
    const added: number[] = [];
    for (const glonassId of data as number[]) {
      if (client.followed.has(glonassId)) continue;
      if (client.followed.size === LIVE_LIMITS.followed)
        return closeWith(client.socket, POLICY_VIOLATION, CLOSE_REASONS.tooManyFollowed);
      client.followed.add(glonassId);
      added.push(glonassId);
    }
    if (added.length === 0) return;
    const list = data.length < LONG_LIST ? undefined : listName(client.caller, data as number[]);
    const kept = list === undefined ? undefined : this.#keptStates.get(list);
    if (kept) {
      this.#send(client, kept.message);
      for (const id of kept.moved) if (this.#follows(client, id)) client.moved.add(id);
      return;
    }
    const known = added
      .map((glonassId) => this.#options.fleet.withDevice({ glonassId })?.id)
      .filter((id) => id !== undefined);
    const text = this.#statesText(client, known);
    if (list === undefined) return this.#send(client, text);
    const message = Buffer.from(text);
    this.#send(client, message);
    // Of a list that holds vehicles twice, or already followed ones, only some were sent.
    if (added.length === data.length) this.#keptStates.keep(list, message);
  }

  #replicate(client: LiveClient, data: unknown): void {
    const names =
      typeof data === 'object' && data !== null ? (data as { collections?: unknown }).collections : undefined;
    if (!Array.isArray(names))
      return this.#sendError(
        client,
        reason('request.socketCollections', { command: 'SET_REPLICA', expected: '{collections: [names]}' }),
      );
    const unknown: unknown = names.find((name) => name !== LINKS && noticedCalled(name) === undefined);
    if (unknown !== undefined)
      return this.#sendError(
        client,
        reason('request.socketCollection', { command: 'SET_REPLICA', name: String(unknown).slice(0, 100) }),
      );
    if (names.includes(LINKS) && !client.caller.role.superuser)
      return this.#sendError(client, reason('request.socketLinks', { command: 'SET_REPLICA' }));
    client.replicated = new Set(names.map(noticedCalled).filter((name) => name !== undefined));
    client.followsLinks = names.includes(LINKS);
    if (client.replicated.has('fleet')) this.#send(client, this.#roadsInForce());
    this.#send(client, this.#syncText());
    if (client.followsLinks) this.#send(client, this.#linksText());
  }

  #lookAtSyncSoon(): void {
    this.#syncLook ??= setTimeout(() => this.#lookAtSync(), this.#timings.syncChanges);
  }

  /** Sends the state of replication, and the links, to those who want them, when they have changed. */
  #lookAtSync(): void {
    clearTimeout(this.#syncLook);
    this.#syncLook = undefined;
    const clients = [...this.#clients].filter(({ replicated }) => replicated.size > 0);
    if (clients.length === 0) return;
    const state = this.#syncText();
    const said = withoutContacts(state);
    if (said !== this.#syncSent) for (const client of clients) this.#send(client, state);
    this.#syncSent = said;
    const viewers = clients.filter(({ followsLinks, caller }) => followsLinks && caller.role.superuser);
    if (viewers.length === 0) return;
    const links = this.#linksText();
    const known = withoutContacts(links);
    const now = performance.now();
    if (known === this.#linksSent && now - this.#linksSentAt < this.#timings.linksRefresh) return;
    for (const client of viewers) this.#send(client, links);
    this.#linksSent = known;
    this.#linksSentAt = now;
  }

  /** Without the digest, which each write changes. */
  #syncText(): string {
    const { digest: _, ...state } = this.#options.sync.state();
    return JSON.stringify({ command: 'SYNC_STATE', data: state });
  }

  #linksText(): string {
    const { digest } = this.#options.sync.state();
    return JSON.stringify({ command: 'LINKS', data: { links: this.#options.sync.links(), digest } });
  }

  /** Consoles have the stored closures in their replica. This tells them which ones routing uses by now. */
  #sendRoadsInForce(): void {
    const text = this.#roadsInForce();
    for (const client of this.#clients) if (client.replicated.has('fleet')) this.#send(client, text);
  }

  #roadsInForce(): string {
    return JSON.stringify({
      command: 'ROADS_IN_FORCE',
      data: {
        closures: this.#options.router.closuresInForce.map((closure) => ({
          id: closure.id,
          effect: effectOf(closure),
        })),
      },
    });
  }

  #sendError(client: LiveClient, why: Reason): void {
    this.#send(client, JSON.stringify({ command: 'ERROR', data: { message: sentenceOf(why), ...why } }));
  }

  #markMoved(states: readonly LastState[]): void {
    for (const { id } of states) this.#keptStates.markMoved(id);
    for (const client of this.#clients) {
      if (client.followed.size === 0) continue;
      for (const state of states) {
        const vehicle = this.#options.fleet.get(state.id);
        if (vehicle && client.followed.has(vehicle.glonassId)) client.moved.add(state.id);
      }
    }
  }

  /** A task of these vehicles changed, and with it what their crews may report. */
  #markJudged(vehicleIds: ReadonlySet<number>): void {
    const states = [...vehicleIds].flatMap((id) => this.#options.fleet.states.get(id) ?? []);
    for (const state of states) this.#texts.delete(state);
    this.#markMoved(states);
  }

  #sendPositions(): void {
    for (const client of this.#clients) {
      if (client.moved.size === 0 || client.socket.bufferedAmount > this.#timings.positionsHighWater) continue;
      const moved = [...client.moved];
      client.moved.clear();
      this.#send(client, this.#statesText(client, moved));
    }
  }

  #statesText(client: LiveClient, vehicleIds: readonly number[]): string {
    const texts = vehicleIds
      .filter((id) => this.#follows(client, id))
      .map((id) => this.#textOf(id))
      .filter((text) => text !== '');
    return `{"command":"CAR_UPDATES","data":[${texts.join(',')}]}`;
  }

  /** Serializes a state once, however many clients follow the vehicle. */
  #textOf(vehicleId: number): string {
    const state = this.#options.fleet.states.get(vehicleId);
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!state || !vehicle || state.time === 0) return '';
    const written =
      this.#texts.get(state) ?? JSON.stringify(presentUpdate(vehicle, state, this.#options.units.judge(vehicleId)));
    this.#texts.set(state, written);
    return written;
  }

  #follows(client: LiveClient, vehicleId: number): boolean {
    const vehicle = this.#options.fleet.get(vehicleId);
    return (
      vehicle !== undefined &&
      client.followed.has(vehicle.glonassId) &&
      seesOrganization(client.caller, vehicle.organizationId)
    );
  }

  #markChanged(changed: ReadonlySet<CollectionName>, head: number): void {
    if (changed.has('vehicles')) this.#keptStates.clear();
    const accessMayDiffer = changed.has('accounts') || changed.has('directories');
    for (const client of this.#clients) {
      const differs = accessMayDiffer && this.#refresh(client);
      for (const name of client.replicated) {
        // The right to read a comment depends on its task.
        if (differs || changed.has(name) || (name === 'comments' && changed.has('tasks'))) client.changed.add(name);
      }
      if (client.changed.size > 0) this.#scheduleNotice(client, head);
    }
  }

  /** Sends the first change at once, and collects those that follow closely. */
  #scheduleNotice(client: LiveClient, head: number): void {
    if (client.nudge) return;
    const wait = client.lastNudge + this.#timings.replicaChanges - performance.now();
    if (wait <= 0) return this.#sendNotice(client, head);
    client.nudge = setTimeout(() => this.#sendNotice(client, this.#options.feed.head()), wait);
  }

  #sendNotice(client: LiveClient, head: number): void {
    client.nudge = undefined;
    client.lastNudge = performance.now();
    this.#send(
      client,
      JSON.stringify({ command: 'REPLICA_CHANGES', data: { collections: [...client.changed].map(wireNameOf), head } }),
    );
    client.changed.clear();
  }

  /** Reloads the caller. True when their access scope has changed. */
  #refresh(client: LiveClient): boolean {
    const caller = this.#options.renew(client.caller);
    if (!caller) {
      closeWith(client.socket, POLICY_VIOLATION, TOKEN_ENDED);
      return false;
    }
    const scope = accessScope(caller, this.#options.rules());
    const differs = client.scope !== scope;
    client.caller = caller;
    client.scope = scope;
    return differs;
  }

  #heartbeat(): void {
    const now = performance.now();
    for (const client of this.#clients) {
      if (now - client.lastHeard > this.#timings.idleTimeout) client.socket.terminate();
      else {
        client.socket.ping();
        this.#refresh(client);
      }
    }
  }

  #send(client: LiveClient, text: string | Buffer): void {
    const { socket } = client;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > this.#timings.maxBuffered) {
      closeWith(socket, TRY_AGAIN_LATER, 'The client does not keep up.', SLOW_CLOSE_TIMEOUT);
      return;
    }
    socket.send(text, { binary: false });
  }
}

interface LiveClient {
  socket: WebSocket;
  caller: Caller;
  /** undefined: this machine. */
  address: string | undefined;
  /** The caller's `accessScope` at the last refresh. */
  scope: string;
  /** glonassIds, possibly of vehicles that do not exist yet. */
  followed: Set<number>;
  /** Vehicles with a state newer than the one sent. */
  moved: Set<number>;
  replicated: Set<Noticed>;
  followsLinks: boolean;
  /** Collections changed since the last REPLICA_CHANGES. */
  changed: Set<Noticed>;
  nudge: NodeJS.Timeout | undefined;
  lastNudge: number;
  lastHeard: number;
}

/** Who sees the vehicles, and which ones are asked for. */
function listName({ user, role }: Caller, glonassIds: readonly number[]): string {
  return `${role.superuser ? 'all' : user.organizationId}:${glonassIds.join()}`;
}

/** Times of contact and of confirmation change all the time while there is a contact. */
function withoutContacts(links: string): string {
  return links.replaceAll(/"(lastContact|confirmedAt|behind)":\d+/g, '');
}

function lengthOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.byteLength, 0) : data.byteLength;
}

function parse(data: RawData): { command: string; data: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' &&
      message !== null &&
      typeof (message as { command?: unknown }).command === 'string'
      ? (message as { command: string; data: unknown })
      : undefined;
  } catch {
    return undefined;
  }
}

/** Closes with a reason. Terminates the connection when the client does not answer within `patience` ms. */
function closeWith(socket: WebSocket, code: number, reason: string, patience = CLOSE_TIMEOUT): void {
  socket.close(code, reason);
  terminateLater(socket, patience);
}

function terminateLater(socket: WebSocket, patience = CLOSE_TIMEOUT): void {
  setTimeout(() => socket.terminate(), patience).unref();
}

/** Answers a request for a WebSocket over HTTP, and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number, words: string, refusal: Refusal): void {
  const headers = Object.entries({
    'Connection': 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(refusal.message)),
    ...refusalHeaders(refusal),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${words}\r\n${headers.join('')}\r\n${refusal.message}`);
}
