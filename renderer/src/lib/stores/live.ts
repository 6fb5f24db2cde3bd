import { defineStore } from 'pinia';
import { computed, markRaw, ref, shallowRef, type Raw } from 'vue';
import { followMessages } from '../../../../shared/live-limits.ts';
import { ApiError } from '../api/client.ts';
import type { Schema } from '../api/operations.ts';
import type { EventUpdate, PositionRecord, TerritoryImport } from '../api/types.ts';
import { Observation } from '../live/observation.ts';
import { Positions } from '../live/positions.ts';
import { RecentEvents } from '../live/recent-events.ts';
import { SharedSource } from '../live/shared/shared-source.ts';
import type { LiveMessage, SocketState } from '../live/socket.ts';
import type { LiveSource, ReplicaView, SourceOptions } from '../live/source.ts';
import { ownerOfRecords } from '../replica/kept-records.ts';
import { LiveRecords } from '../replica/live-records.ts';
import type { ReplicaSinks } from '../replica/replica.ts';
import { REPLICA_NAMES, replicaWireName } from '../replica/schemas.ts';
import { statusLight } from '../live/light.ts';
import { useClock } from './clock.ts';
import { useSession } from './session.ts';

type SyncChange = Omit<Schema<'SyncState'>, 'digest'>;
interface LinkChangeMessage {
  readonly links: readonly Schema<'Link'>[];
  readonly digest: string;
}

/** A task that this window has open, in the form of the interface. */
export interface OpenTask {
  readonly newsId: number;
  readonly writing: boolean;
}
/** Somebody who has a task open. */
export interface TaskOnlooker {
  readonly userId: number;
  readonly fio: string;
  readonly writing: boolean;
  readonly since: number;
}

/** RxDB is not loaded if the hub has it; without a hub it loads in parallel with the rest of the program. */
const loadOwnSource = () => import('../live/own-source.ts');
if (typeof SharedWorker === 'undefined') void loadOwnSource().catch(() => undefined);

async function openOwnSource(options: SourceOptions): Promise<LiveSource> {
  const { OwnSource } = await loadOwnSource();
  return OwnSource.open(options);
}

/** ms in which changes of the fleet make one list of vehicles to follow */
const OBSERVE_AFTER = 1_000;

/** All live data of a session: records, positions, progress of imports, and the state of the connection. */
export const useLive = defineStore('live', () => {
  const session = useSession();
  const clock = useClock();
  const records = markRaw<ReplicaSinks>({
    tasks: new LiveRecords(),
    comments: new LiveRecords(),
    directories: new LiveRecords(),
    accounts: new LiveRecords(),
    vehicles: new LiveRecords(),
    fleet: new LiveRecords(),
    alarms: new LiveRecords(),
  });
  const positions = markRaw(new Positions());
  const events = markRaw(new RecentEvents());
  const state = ref<SocketState>('lost');
  const caughtUp = ref(false);
  /** It has caught up once: an empty list is really empty. */
  const filled = ref(false);
  const observation = new Observation();
  /** The station follows all vehicles, and their last known places are here. */
  const positionsIn = ref(false);
  const lastHeard = ref(0);
  /** Incremented whenever the replica is opened again. */
  const replica = shallowRef<Raw<ReplicaView>>();
  const territoryImport = shallowRef<TerritoryImport>();
  /** Counts up when another territory was loaded. */
  const territoryVersion = ref(0);
  /**
   * The closures that routes obey by now; another one whenever they obey others, other speeds or another
   * territory. Undefined: not heard yet.
   */
  const roadsInForce = shallowRef<{ readonly closures: readonly { readonly id: number; readonly effect: string }[] }>();
  /** The station's state of replication with others; undefined: not heard yet. */
  const sync = shallowRef<SyncChange>();
  /** Its links, while somebody follows them. */
  const linked = shallowRef<LinkChangeMessage>();
  /** Counts up when merges have changed. */
  const mergesVersion = ref(0);
  /** Counts up when warnings have changed. */
  const warningsVersion = ref(0);
  /** Viewers of each task, by its id, as far as this window has it open. */
  const onlookers = shallowRef<ReadonlyMap<number, readonly TaskOnlooker[]>>(new Map());
  let openTasks: readonly OpenTask[] = [];
  let linkViewers = 0;
  let source: LiveSource | undefined;
  let running = false;
  let observing: ReturnType<typeof setTimeout> | undefined;
  let observeAgain = false;
  /** Another territory was imported, and its name and bounds are not read yet. */
  let territoryOutdated = false;

  const light = computed(() =>
    statusLight({
      state: state.value,
      caughtUp: caughtUp.value,
      positionsIn: positionsIn.value,
      lastHeard: lastHeard.value,
      now: clock.now,
    }),
  );

  async function start(): Promise<void> {
    if (running) return;
    running = true;
    const address = new URL('/ws', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const options = {
      client: session.client,
      address: address.href,
      // A new build may read other fields.
      owner: ownerOfRecords(session.user?.id, import.meta.url, session.keepsRecords),
      records,
      listener: { onState, onMessage, onReplica, onProgress: noteProgress },
    };
    source = (await SharedSource.open(options)) ?? (await openOwnSource(options));
    if (state.value === 'open') onState('open'); // it may have come before there was a way to send
    setInterval(() => (lastHeard.value = source?.lastHeard ?? 0), 1_000);
    records.vehicles.watch((changes) => {
      if (changes.some((change) => change.now?.glonassId !== change.before?.glonassId)) observeSoon();
    });
  }

  /** All loaded data belongs to the old session, so the page reloads at once: somebody may begin to sign in. */
  function stop(): void {
    void source?.close();
    location.reload();
  }

  function onReplica(now: ReplicaView | undefined): void {
    filled.value = false;
    replica.value = now && markRaw(now);
  }

  function noteProgress(now: boolean): void {
    caughtUp.value = now;
    if (!now || filled.value) return;
    filled.value = true;
    observeAll(); // the first picture does not wait for further vehicles
  }

  function onState(now: SocketState): void {
    state.value = now;
    onlookers.value = new Map(); // the station tells them again
    if (now !== 'open') {
      if (now === 'lost') void checkSession();
      return;
    }
    lastHeard.value = Date.now();
    subscribe();
    if (openTasks.length > 0) tellOpenTasks(openTasks);
    mergesVersion.value++; // changes in the meantime
    warningsVersion.value++;
    observeAll();
    if (territoryOutdated) void readTerritory();
  }

  /** A refused upgrade looks like a lost line; when the session has ended, asking says so. */
  async function checkSession(): Promise<void> {
    await session.client.ask('/users/current').catch(() => undefined);
    if (source?.hasEnded && session.user) location.reload();
  }

  function onMessage(message: LiveMessage): void {
    lastHeard.value = Date.now();
    switch (message.command) {
      case 'CAR_UPDATES':
        positions.take(message.data as PositionRecord[], performance.now());
        observation.heard();
        return positionsIn.value ? undefined : notePositions();
      case 'EVENT_UPDATES':
        return events.take(message.data as EventUpdate[]);
      case 'REPLICA_CHANGES':
        return void (mergesVersion.value += Number(
          (message.data as { collections: string[] }).collections.includes('merges'),
        ));
      case 'SYNC_STATE':
        return void (sync.value = message.data as SyncChange);
      case 'PRESENCE':
        return noteOnlookers(message.data as { newsId: number; users: readonly TaskOnlooker[] });
      case 'LINKS':
        return void (linked.value = message.data as LinkChangeMessage);
      case 'WARNINGS':
        return void warningsVersion.value++;
      case 'TERRITORY_PROGRESS':
        return onTerritory(message.data as TerritoryImport);
      case 'ROADS_IN_FORCE':
        roadsInForce.value = message.data as { closures: { id: number; effect: string }[] };
    }
  }

  function subscribe(): void {
    const collections = [...REPLICA_NAMES.map(replicaWireName), 'merges', ...(linkViewers > 0 ? ['links'] : [])];
    source?.send('SET_REPLICA', { collections });
  }

  /** Tells others which tasks this window has open. */
  function tellOpenTasks(open: readonly OpenTask[]): void {
    openTasks = open;
    source?.send('SET_PRESENCE', open);
  }

  function noteOnlookers({ newsId, users }: { newsId: number; users: readonly TaskOnlooker[] }): void {
    const kept = [...onlookers.value].filter(([id]) => openTasks.some((open) => open.newsId === id));
    onlookers.value = new Map(kept).set(newsId, users);
  }

  /** The station sends its links until the returned function is called. For superusers. */
  function followLinks(): () => void {
    if (linkViewers++ === 0) subscribe();
    return () => {
      if (--linkViewers > 0) return;
      linked.value = undefined;
      subscribe();
    };
  }

  function onTerritory(progress: TerritoryImport): void {
    territoryImport.value = progress;
    if (progress.state === 'done') void readTerritory();
  }

  /** Reads which territory the station serves now. If the connection is lost, the next one does it. */
  async function readTerritory(): Promise<void> {
    territoryOutdated = true;
    try {
      await session.refreshHealth();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return;
    }
    territoryOutdated = false;
    territoryVersion.value++;
  }

  /** Vehicles may come one by one, and the station takes only so many messages a second. */
  function observeSoon(): void {
    notePositions();
    if (observing) return void (observeAgain = true);
    observeAll(); // at once: events of a new vehicle are not sent before it is followed
    observing = setTimeout(() => {
      observing = undefined;
      if (!observeAgain) return;
      observeAgain = false;
      observeSoon();
    }, OBSERVE_AFTER);
  }

  const toObserve = () =>
    [...records.vehicles.values()]
      .filter((vehicle) => !vehicle.isDeleted && vehicle.view)
      .map((vehicle) => vehicle.glonassId);
  const notePositions = () => void (positionsIn.value = observation.covers(toObserve()));
  function observeAll(): void {
    const ids = toObserve();
    const messages = followMessages(ids);
    observation.ask(ids, messages.length);
    for (const { command, data } of messages) source?.send(command, data);
    notePositions();
  }

  return {
    records,
    positions,
    events,
    state,
    caughtUp,
    filled,
    positionsIn,
    light,
    replica,
    territoryImport,
    territoryVersion,
    roadsInForce,
    sync,
    linked,
    mergesVersion,
    warningsVersion,
    onlookers,
    tellOpenTasks,
    followLinks,
    start,
    stop,
  };
});
