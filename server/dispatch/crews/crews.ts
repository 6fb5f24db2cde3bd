import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import { ACKNOWLEDGED } from '../../../shared/fleet/unit-status.ts';
import { safetyTimer, DEFAULT_SAFETY_MINUTES, type SafetyTimer } from '../../../shared/fleet/safety-timer.ts';
import { activeUnit } from '../../../shared/tasks/units.ts';
import type {
  CrewMessage,
  CrewSign,
  OwnPlace,
  PremiseNote,
  ShiftSettings,
  Task,
  Vehicle,
} from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { AuditReport } from '../../access/accounts/index.ts';
import type { AttachOrder } from '../files/index.ts';
import { Mirror, type Fleet } from '../fleet/index.ts';
import { Emitter } from '../../platform/emitter.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Store } from '../../store/types.ts';
import type { Tasks } from '../tasks/index.ts';
import { CrewMessages } from './crew-messages.ts';
import type { MessageMark } from './messages.ts';
import { CrewSessions, type CrewSession } from './crew-sessions.ts';
import { DoneActions } from './done-actions.ts';
import { acceptReport } from './report.ts';
import { SignInCodes } from './sign-in-codes.ts';

export interface CrewsOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly tasks: Tasks;
  readonly audit: AuditReport;
  now(): number;
  /** Counts wrong codes of an address; refuses while it must wait. */
  attempt(address: string, verify: () => Promise<boolean>): Promise<boolean>;
}

/** Whose telephone asks. */
export interface CrewCaller {
  readonly session: CrewSession;
  readonly vehicle: Vehicle;
}

/** Actions of a crew. `tasks` names their task. */
export type CrewAction =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'accept'; readonly taskId: number }
  | { readonly kind: 'giveBack'; readonly taskId: number; readonly reason: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'receipt'; readonly mark: MessageMark; readonly ids: readonly number[] }
  | { readonly kind: 'comment'; readonly taskId: number; readonly text: string }
  | { readonly kind: 'attach'; readonly taskId: number; readonly order: AttachOrder };

/** An action with its key and time from the telephone. */
export interface CrewOrder {
  /** The same for every try to send it. */
  readonly key: string;
  /** ms since it was done, by the clock of the telephone: that clock itself may be wrong. */
  readonly age: number;
  readonly action: CrewAction;
}

/** ms between two removals of sessions that have ended. */
const SWEEP = 3_600_000;
/** ms in which changes are sent as one: composing the telephone's view is costly. */
const TOGETHER = 150;
/** ms after a position of the vehicle's tracker in which positions of telephones are ignored. */
const TRACKED = 5 * 60_000;

/** Crews on their telephones: sign-in, and their actions (README). */
export class Crews {
  readonly sessions: CrewSessions;
  readonly messages: CrewMessages;
  readonly #options: CrewsOptions;
  readonly #codes = new SignInCodes();
  readonly #signs: Mirror<CrewSign>;
  readonly #shifts: Mirror<ShiftSettings>;
  readonly #done: DoneActions;
  /** Actions of one vehicle run one after another. */
  readonly #turns = new Map<number, Mutex>();
  readonly #changed = new Emitter<[vehicleId: number | undefined]>();
  /** When the last action of each session was done: requests take unequal times, so ages alone keep no order. */
  readonly #lastOf = new Map<number, number>();
  /** Times of the last positions that telephones sent, by vehicle. */
  readonly #sentFixes = new Map<number, number>();
  readonly #waiting = new Set<() => void>();
  #released = false;
  readonly #stops: (() => void)[];

  private constructor(options: CrewsOptions, sessions: CrewSessions, done: DoneActions) {
    this.#options = options;
    this.sessions = sessions;
    this.#done = done;
    this.messages = new CrewMessages(options);
    const { store, fleet, tasks, now } = options;
    this.#signs = new Mirror(store.kind<CrewSign>('fleet', 'crewSign'));
    this.#shifts = new Mirror(store.kind<ShiftSettings>('fleet', 'shiftSettings'));
    const timer = setInterval(() => void sessions.sweep(now()).catch(() => undefined), SWEEP).unref();
    const forAll = () => this.#changed.emit(undefined);
    const ofTask = (task: Task | undefined) => {
      for (const vehicleId of new Set(Object.values(task?.units ?? {}).map((unit) => unit.vehicleId)))
        this.#changed.emit(vehicleId);
      if (task && !task.units) this.#changed.emit(task.assignedVehicleId);
    };
    this.#stops = [
      () => clearInterval(timer),
      store.records('tasks').watch((changes) => changes.forEach(({ record }) => ofTask(record))),
      store
        .records('comments')
        .watch((changes) => changes.forEach(({ record }) => ofTask(tasks.stored(record.taskId)))),
      store.kind<PremiseNote>('fleet', 'premiseNote').watch(forAll),
      store.kind<OwnPlace>('fleet', 'ownPlace').watch(forAll),
      store.kind<CrewMessage>('fleet', 'crewMessage').watch(forAll),
      this.#signs.watch(forAll),
      this.#shifts.watch(forAll),
      fleet.states.watch((changed) => changed.forEach(({ id }) => this.#changed.emit(id))),
      store.records('vehicles').watch((changes) => {
        for (const { record, deleted } of changes)
          if (deleted || record.isDeleted)
            void sessions.end(({ vehicleId }) => vehicleId === record.id).catch(() => undefined);
      }),
      sessions.onEnd(({ vehicleId }) => this.#changed.emit(vehicleId)),
    ];
  }

  static async open(options: CrewsOptions): Promise<Crews> {
    const now = options.now();
    const [sessions, done] = await Promise.all([
      CrewSessions.open(options.store, now),
      DoneActions.open(options.store, now),
    ]);
    return new Crews(options, sessions, done);
  }

  close(): void {
    this.messages.close();
    this.#signs.close();
    this.#shifts.close();
    for (const stop of this.#stops) stop();
    this.#changed.clear();
  }

  /** A code that signs the crew of a vehicle in once. */
  async makeCode(by: Actor, vehicleId: number): Promise<{ code: string; expiresAt: number; vehicle: Vehicle }> {
    const vehicle = this.#requireDirected(by, vehicleId);
    const made = this.#codes.make(vehicleId, by.user.id, this.#options.now());
    await this.#options.audit.recordOrMiss({ kind: 'crew', action: 'created', subject: subjectOf(vehicle) });
    return { ...made, vehicle };
  }

  /** Begins a session with a code. Its token is returned only here. */
  async signIn(code: string, from: { address: string; device: string }): Promise<{ token: string; vehicle: Vehicle }> {
    const { fleet, audit, now, attempt } = this.#options;
    let opened: { vehicleId: number; userId: number } | undefined;
    await attempt(from.address, async () => {
      opened = this.#codes.use(code.replace(/[\s-]/g, ''), now());
      return opened !== undefined;
    });
    const vehicle = opened && fleet.get(opened.vehicleId);
    if (!opened || !vehicle) {
      await audit.recordOrMiss({ kind: 'crew', action: 'failed', subject: { name: '' } });
      throw new Refusal('crews.wrongCode');
    }
    const { token, session } = await this.sessions.begin({ ...opened, ...from }, now());
    const details = { session: session.id, madeBy: session.userId };
    await audit.recordOrMiss({ kind: 'crew', action: 'started', subject: subjectOf(vehicle), details });
    this.#changed.emit(vehicle.id);
    return { token, vehicle };
  }

  /** The crew of a valid token. */
  authenticate(token: string): CrewCaller | undefined {
    const session = this.sessions.use(token, this.#options.now());
    const vehicle = session && this.#options.fleet.get(session.vehicleId);
    return vehicle && { session, vehicle };
  }

  /** The sessions of crews that the actor directs, with their vehicles. */
  list(by: Actor): CrewCaller[] {
    this.#requireDirects(by);
    return this.sessions.all(this.#options.now()).flatMap((session) => {
      const vehicle = this.#options.fleet.get(session.vehicleId);
      return vehicle && seesOrganization(by, vehicle.organizationId) ? [{ session, vehicle }] : [];
    });
  }

  /** Ends a session of a crew. */
  async end(by: Actor, id: number): Promise<void> {
    if (!this.list(by).some(({ session }) => session.id === id)) throw new Refusal('crews.noSession', { id });
    await this.#end(id);
  }

  /** The crew ends its own session. */
  signOut({ session }: CrewCaller): Promise<void> {
    return this.#end(session.id);
  }

  /**
   * Does what a crew did, once for each key.
   * @returns whether it was done now; false: the key was known
   */
  act(
    { vehicle, session }: Pick<CrewCaller, 'vehicle'> & Partial<CrewCaller>,
    { key, age, action }: CrewOrder,
  ): Promise<boolean> {
    return this.#turnsOf(vehicle.id).run(() => {
      const now = this.#options.now();
      return this.#done.once(vehicle.id, key, now, async () => {
        const at = Math.max(now - age, session ? (this.#lastOf.get(session.id) ?? 0) : 0);
        const since = await this.#do(vehicle, action, at);
        if (session) this.#lastOf.set(session.id, Math.max(at, since ?? 0));
      });
    });
  }

  /** Was this key done already? Then its file need not be read. */
  isDone({ vehicle }: CrewCaller, key: string): boolean {
    return this.#done.has(vehicle.id, key);
  }

  /** When the crew should be heard next; undefined: it is not on scene, or its organization wants no timers. */
  safetyOf({ id, organizationId }: Vehicle): SafetyTimer | undefined {
    const minutes = this.#shifts.get(organizationId)?.safetyMinutes ?? DEFAULT_SAFETY_MINUTES;
    const heardAt = this.#signs.get(id)?.heard.at ?? 0;
    for (const task of this.#options.tasks.crews.tasksOf(id)) {
      const unit = activeUnit(task, id);
      const timer = unit && safetyTimer(unit, heardAt, minutes);
      if (timer) return timer;
    }
    return undefined;
  }

  /** Does a tracker of the vehicle report its position (README rule 7)? */
  isTracked(vehicleId: number): boolean {
    const { fleet, now } = this.#options;
    const time = fleet.states.get(vehicleId)?.time ?? 0;
    return time > now() - TRACKED && time > (this.#sentFixes.get(vehicleId) ?? 0);
  }

  /**
   * Stores positions of a telephone, once for each key.
   * @param ages ms since each was taken
   * @param store keeps them under the times that it is given
   */
  sendFixes(
    { vehicle }: CrewCaller,
    key: string,
    ages: readonly number[],
    store: (times: readonly number[]) => Promise<unknown>,
  ): Promise<void> {
    return this.#turnsOf(vehicle.id).run(async () => {
      if (this.#done.has(vehicle.id, key)) return;
      if (this.isTracked(vehicle.id)) throw new Refusal('crews.ownTracker', { name: vehicle.name });
      const now = this.#options.now();
      const times = ages.map((age) => now - age);
      this.#sentFixes.set(vehicle.id, Math.max(...times, this.#sentFixes.get(vehicle.id) ?? 0));
      await store(times);
      await this.#done.note(vehicle.id, key, now);
    });
  }

  /**
   * Resolves when the crew's view may have changed, after `patience` ms, at the end of its session, when
   * `signal` aborts, or when the station stops.
   */
  nextChange({ vehicle }: CrewCaller, patience: number, signal: AbortSignal): Promise<void> {
    if (this.#released) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        clearTimeout(soon);
        stop();
        this.#waiting.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, patience).unref();
      let soon: NodeJS.Timeout | undefined;
      const stop = this.#changed.on((vehicleId) => {
        if (vehicleId === undefined || vehicleId === vehicle.id) soon ??= setTimeout(end, TOGETHER).unref();
      });
      this.#waiting.add(end);
      signal.addEventListener('abort', end);
    });
  }

  /** Whether the station stops. */
  get released(): boolean {
    return this.#released;
  }

  /** Whether the session has not ended since. */
  isOpen({ session }: CrewCaller): boolean {
    return this.sessions.has(session.id);
  }

  /** Ends all waiting, so that the station can stop. */
  release(): void {
    this.#released = true;
    for (const end of [...this.#waiting]) end();
  }

  #turnsOf(vehicleId: number): Mutex {
    const turns = this.#turns.get(vehicleId) ?? new Mutex();
    this.#turns.set(vehicleId, turns);
    return turns;
  }

  /** @returns since when the vehicle has a status that this set */
  async #do(vehicle: Vehicle, action: CrewAction, at: number): Promise<number | void> {
    const { crews } = this.#options.tasks;
    switch (action.kind) {
      case 'status':
        return this.#report(vehicle, action.status, at);
      case 'accept':
        await crews.accept(vehicle, action.taskId, at);
        return this.#report(vehicle, ACKNOWLEDGED, at);
      case 'giveBack':
        return crews.giveBack(vehicle, action.taskId, action.reason, at);
      case 'comment':
        return crews.comment(vehicle, action.taskId, action.text, at);
      case 'say':
        return void (await this.messages.say(vehicle, action.text, at));
      case 'receipt':
        return this.messages.mark(vehicle, action.ids, action.mark, at);
      case 'attach':
        return crews.attach(vehicle, action.taskId, action.order, at);
    }
  }

  async #report(vehicle: Vehicle, status: number, at: number): Promise<number | void> {
    const { fleet, tasks } = this.#options;
    const reporting = {
      name: vehicle.name,
      state: fleet.states.get(vehicle.id),
      sentAt: tasks.units.sentAt(vehicle.id),
      taskIds: tasks.units.active.tasksOf(vehicle.id),
    };
    if (!acceptReport(reporting, status, at)) return;
    const { unitStatusSince } = await fleet.states.setUnitStatus(vehicle.id, status, at);
    await tasks.units.report(vehicle.id, status, unitStatusSince);
    return unitStatusSince;
  }

  async #end(id: number): Promise<void> {
    for (const session of await this.sessions.end((one) => one.id === id)) {
      this.#lastOf.delete(session.id);
      const vehicle = this.#options.fleet.get(session.vehicleId);
      const subject = vehicle ? subjectOf(vehicle) : { name: '' };
      await this.#options.audit.recordOrMiss({ kind: 'crew', action: 'ended', subject, details: { session: id } });
    }
  }

  #requireDirects(by: Actor): void {
    if (!mayDirectCrews(by)) throw new Refusal('crews.dispatchersOnly');
  }

  #requireDirected(by: Actor, vehicleId: number): Vehicle {
    this.#requireDirects(by);
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(by, vehicle.organizationId))
      throw new Refusal('field.unknown', { field: 'carId', id: vehicleId });
    return vehicle;
  }
}

function subjectOf({ id, name, organizationId }: Vehicle) {
  return { id, name, organizationId };
}
