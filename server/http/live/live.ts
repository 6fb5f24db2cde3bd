import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { effectOf } from '../../../shared/roads/closure-effect.ts';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';
import type { StateRule } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { reason, sentenceOf, type Reason } from '../../../shared/refusals/reason.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Planner } from '../../geo/routing/index.ts';
import type { CollectionName, Feed } from '../../store/index.ts';
import type { TaskUnits } from '../../dispatch/tasks/index.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import { clientAddress, isOfThisMachine } from '../app/client.ts';
import { requireAccess, isSameOrigin, tokenOf, type Authenticate } from '../app/authenticate.ts';
import {
  closeWith,
  GOING_AWAY,
  refuseUpgrade,
  SLOW_CLOSE_TIMEOUT,
  terminateLater,
  TRY_AGAIN_LATER,
} from './closing.ts';
import { FollowedVehicles } from './followed-vehicles.ts';
import type { LiveClient, Noticed } from './live-client.ts';
import { SyncNotices, type SyncSource } from './sync-notices.ts';
import { DEFAULT_TIMINGS, type LiveTimings } from './timings.ts';
import { MessageQueue } from './message-queue.ts';
import { LimitedSocket, POLICY_VIOLATION, CLOSE_REASONS } from './limits.ts';
import { openTasksOf, Presence, type TasksToOpen } from './presence.ts';
import { accessScope, collectionCalled, wireNameOf } from './replica-feed.ts';

interface LiveOptions {
  authenticate: Authenticate;
  /** The caller's current record; undefined when the token has ended. */
  renew(caller: Caller): Caller | undefined;
  fleet: Fleet;
  feed: Feed;
  /** Statuses that crews may report next. Their tasks decide them. */
  units: Pick<TaskUnits, 'judge' | 'active'>;
  /** Reports when routing uses changed closures, speeds or roads. */
  router: Pick<Planner, 'closuresInForce' | 'onConditions'>;
  /** Replication with other stations, in the form of the interface. */
  sync: SyncSource;
  /** The state rules that roles refer to. */
  rules(): readonly StateRule[];
  /** Tasks that consoles have open. */
  tasks: TasksToOpen;
  now(): number;
  timings?: Partial<LiveTimings>;
}

function noticedCalled(name: unknown): Noticed | undefined {
  return name === 'merges' ? name : collectionCalled(name);
}

/** Among the names of SET_REPLICA: the links, which are sent whole. */
const LINKS = 'links';

const TOKEN_ENDED = 'The token is no longer valid.';

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
  readonly #vehicles: FollowedVehicles;
  readonly #sync: SyncNotices;
  readonly #presence: Presence<LiveClient>;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    const send = (client: LiveClient, text: string | Buffer) => this.#send(client, text);
    this.#vehicles = new FollowedVehicles({
      fleet: options.fleet,
      units: options.units,
      clients: this.#clients,
      send,
      sendError: (client, why) => this.#sendError(client, why),
    });
    this.#sync = new SyncNotices({ source: options.sync, timings: this.#timings, clients: this.#clients, send });
    const { tasks, now } = options;
    this.#presence = new Presence({ tasks, now, send, wait: this.#timings.presence });
    const updates = setInterval(() => this.#sendPositions(), this.#timings.carUpdates);
    const pings = setInterval(() => this.#heartbeat(), this.#timings.ping);
    const syncLooks = setInterval(() => this.#sync.look(), this.#timings.syncLooks);
    this.#stops = [
      () => clearInterval(updates),
      () => clearInterval(pings),
      () => clearInterval(syncLooks),
      () => this.#vehicles.forgetKept(),
      () => this.#sync.close(),
      () => this.#presence.close(),
      options.sync.onChange(() => this.#sync.lookSoon()),
      options.feed.watch(() => this.#sync.lookSoon()),
      () => this.#queue.close(),
      options.fleet.states.watch((states) => this.#vehicles.markMoved(states)),
      options.units.active.onChange((ids) => this.#vehicles.markJudged(ids)),
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
    const address = isOfThisMachine(request) ? undefined : clientAddress(request);
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
      const wanted = events
        .filter((event) => this.#vehicles.follows(client, event.vehicleId))
        .map((event) => event.record);
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
      this.#presence.remove(client);
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
        return this.#vehicles.follow(client, message.command, message.data);
      case 'ADD_OBSERVABLE_CARS':
        return this.#vehicles.follow(client, message.command, message.data);
      case 'SET_REPLICA':
        return this.#replicate(client, message.data);
      case 'SET_PRESENCE':
        return this.#setPresence(client, message.data);
      default:
        return this.#sendError(client, reason('request.socketCommand', { command: message.command.slice(0, 100) }));
    }
  }

  #setPresence(client: LiveClient, data: unknown): void {
    const open = openTasksOf(data);
    if (open) return this.#presence.set(client, open);
    const expected = `an array of at most ${LIVE_LIMITS.openTasks} {newsId, writing}`;
    this.#sendError(client, reason('request.socketCollections', { command: 'SET_PRESENCE', expected }));
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
    this.#send(client, this.#sync.stateText());
    if (client.followsLinks) this.#send(client, this.#sync.linksText());
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

  #sendPositions(): void {
    for (const client of this.#clients) {
      if (client.moved.size === 0 || client.socket.bufferedAmount > this.#timings.positionsHighWater) continue;
      const moved = [...client.moved];
      client.moved.clear();
      this.#send(client, this.#vehicles.textOf(client, moved));
    }
  }

  #markChanged(changed: ReadonlySet<CollectionName>, head: number): void {
    if (changed.has('vehicles')) this.#vehicles.forgetKept();
    const accessMayDiffer = changed.has('accounts') || changed.has('directories');
    if (accessMayDiffer) this.#presence.checkAll();
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
