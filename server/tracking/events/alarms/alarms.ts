import { mayDirectCrews, seesOrganization, type Actor } from '../../../../shared/access.ts';
import { alarmState, byUrgency, flooded, FLOOD } from '../../../../shared/events/alarms.ts';
import type { AlarmPriority, AlarmRecord, Task, User } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Emitter } from '../../../platform/emitter.ts';
import type { Records } from '../../../store/types.ts';
import { AlarmLog, alarmRecords, type AlarmQuery } from './alarm-log.ts';
import { AlarmRaiser, type AlarmRaiserOptions } from './alarm-raiser.ts';
import { Decisions } from './decisions.ts';
import { acknowledged, assignAlarm, unshelved, shelved, silenced, type Cause } from './life-cycle.ts';
import { OpenAlarms } from './open-alarms.ts';
import { rateOf, type AlarmRate } from './rate.ts';
import { AlarmRuleStore } from './alarm-rule-store.ts';
import { causeOfWarning, ruleOfWarning, situationOfWarning, type OutsideWarning } from './outside-warning.ts';
import { SILENT_CREW } from './silent-crew.ts';
import { VEHICLE_TWICE } from './vehicle-twice.ts';
import { causeOfWaiting, ruleOfWaiting, situationOfWaiting, WAITING_RULES } from './waiting-task.ts';

export interface AlarmsOptions extends AlarmRaiserOptions {
  maySeeTask(actor: Actor, taskId: number): boolean;
  report(error: unknown): void;
}

interface WaitingStep {
  readonly level: number;
  readonly since: number;
}
type SilentCrewCause = Pick<Cause, 'vehicleId' | 'organizationId' | 'since'>;

/** ms between two checks of changes that only the clock makes: shelves that end, tasks that wait too long. */
const TICK = 1_000;
/** Consoles hold alarms for this many ms after they were raised. */
const DAY = 24 * 3_600_000;
/** Longest period of a rate, in ms. */
const LONGEST_RATE = 92 * DAY;

/**
 * The alarms of operators: raised by events, crew statuses and tasks under the rules of the organization, one
 * for each situation. Listeners hear a change when it is on disk. A start catches up on everything missed.
 */
export class Alarms {
  readonly rules: AlarmRuleStore;
  readonly #options: AlarmsOptions;
  readonly #records: Records<AlarmRecord>;
  readonly #users: Records<User>;
  readonly #log: AlarmLog;
  readonly #open = new OpenAlarms();
  readonly #decisions: Decisions;
  readonly #raiser: AlarmRaiser;
  readonly #emitter: Emitter<[changed: readonly AlarmRecord[]]>;
  readonly #stops: (() => void)[];

  private constructor(options: AlarmsOptions) {
    const { store } = options;
    this.#options = options;
    this.#emitter = new Emitter(options.report);
    this.rules = new AlarmRuleStore(store);
    this.#records = alarmRecords(store);
    this.#users = store.kind<User>('accounts', 'user');
    this.#log = new AlarmLog(store);
    for (const alarm of this.#log.openOrSince(options.now() - FLOOD.within)) this.#open.remember(alarm, options.now());
    this.#decisions = new Decisions(options.report, () => store.readOnly !== undefined);
    const timer = setInterval(() => this.tick(), TICK);
    timer.unref();
    this.#stops = [
      () => clearInterval(timer),
      // Any writer, including a merge from another station.
      this.#records.watch((changes) => this.#changed(changes.map(({ record }) => record))),
    ];
    this.#raiser = new AlarmRaiser(options, {
      rules: this.rules,
      log: this.#log,
      open: this.#open,
      decisions: this.#decisions,
    });
  }

  static async open(options: AlarmsOptions): Promise<Alarms> {
    const alarms = new Alarms(options);
    await alarms.#raiser.makeUp();
    alarms.#stops.push(
      options.store.onReadOnly(() => {
        if (options.store.readOnly === undefined)
          alarms.#raiser.makeUp().catch((error: unknown) => options.report(error));
      }),
    );
    return alarms;
  }

  /** Called with new or changed alarms when they are on disk. Returns the unsubscription. */
  watch(listener: (changed: readonly AlarmRecord[]) => void): () => void {
    return this.#emitter.on(listener);
  }

  /** Two stations sent one vehicle to two tasks: one alarm for each pair. */
  async raiseVehicleTwice(twice: Pick<Cause, 'vehicleId' | 'organizationId' | 'situation' | 'since'>): Promise<void> {
    const cause = { ...twice, eventId: 0, eventType: 0, taskId: 0, info: '', place: null, until: 0 };
    this.#raiser.raiseFound(VEHICLE_TWICE, cause);
    await this.#decisions.idle();
  }

  async endVehicleTwice(situation: string, at: number): Promise<void> {
    this.#raiser.endFound(situation, at);
    await this.#decisions.idle();
  }

  /** A crew on scene missed its checks since then. */
  async raiseSilentCrew({ vehicleId, organizationId, since }: SilentCrewCause): Promise<void> {
    const state = this.#options.fleet.states.get(vehicleId);
    this.#raiser.raiseFound(SILENT_CREW, {
      ...{ situation: situationOfSilence(vehicleId), vehicleId, organizationId, since },
      ...{ eventId: 0, eventType: 0, taskId: 0, info: '', until: 0 },
      place: state && state.time > 0 ? { lat: state.lat, lon: state.lon } : null,
    });
    await this.#decisions.idle();
  }

  /** A scheduled task entered the queue (level 0), or nobody was sent to a task and it rose. */
  async raiseWaiting(task: Task, priority: AlarmPriority, { level, since }: WaitingStep): Promise<void> {
    for (let lower = 0; lower < level; lower++) this.#raiser.endFound(situationOfWaiting(lower, task.id), since);
    // Where a rule of the organization watches over such tasks, it raises the alarm of the first level.
    if (level !== 1 || !this.#raiser.watchesOver(task))
      this.#raiser.raiseOnce(ruleOfWaiting(level, priority), causeOfWaiting(task, level, since));
    await this.#decisions.idle();
  }

  /** A warning of an authority, or a newer one that continues it. */
  async raiseWarning(warning: OutsideWarning): Promise<void> {
    this.#raiser.raiseFound(ruleOfWarning(warning), causeOfWarning(warning));
    await this.#decisions.idle();
  }

  /** @param situation of the warning */
  async endWarning(situation: string, at: number): Promise<void> {
    this.#raiser.endFound(situationOfWarning(situation), at);
    await this.#decisions.idle();
  }

  async endWaiting(taskId: number, at: number): Promise<void> {
    for (let level = 0; level < WAITING_RULES.length; level++)
      this.#raiser.endFound(situationOfWaiting(level, taskId), at);
    await this.#decisions.idle();
  }

  /** Acknowledges the alarms of a task without units, as far as the actor sees them. */
  async acknowledgeWaiting(actor: Actor, taskId: number): Promise<void> {
    const now = this.#options.now();
    const asked = this.#open
      .all()
      .filter((alarm) => alarm.taskId === taskId && alarm.eventId === 0 && this.maySee(actor, alarm))
      .filter((alarm) => alarmState(alarm, now) === 'unacknowledged');
    for (const { id } of asked) await this.acknowledge(actor, id, '');
  }

  /** The tasks of which such an alarm stands. */
  waitingTasks(): number[] {
    const rules: readonly string[] = WAITING_RULES;
    return this.#open
      .all()
      .filter(({ rule, goneAt }) => goneAt === 0 && rules.includes(rule))
      .map(({ taskId }) => taskId);
  }

  async endSilentCrew(vehicleId: number, at: number): Promise<void> {
    this.#raiser.endFound(situationOfSilence(vehicleId), at);
    await this.#decisions.idle();
  }

  /** The vehicles whose crews are reported as silent. */
  silentCrews(): number[] {
    return this.#open
      .all()
      .filter(({ rule, goneAt }) => rule === SILENT_CREW.id && goneAt === 0)
      .map(({ vehicleId }) => vehicleId);
  }

  maySee(actor: Actor, alarm: AlarmRecord): boolean {
    if (!seesOrganization(actor, alarm.organizationId)) return false;
    return alarm.taskId === 0 || alarm.eventId > 0 || this.#options.maySeeTask(actor, alarm.taskId);
  }

  /** All that are not cleared, of every organization. */
  uncleared(): AlarmRecord[] {
    return this.#open.all();
  }

  /** All open and visible alarms, the most urgent first. */
  open(actor: Actor): AlarmRecord[] {
    return this.#open
      .all()
      .filter((alarm) => this.maySee(actor, alarm))
      .sort(byUrgency(this.#options.now()));
  }

  /** The alarms that consoles hold: all open ones, and those of the last 24 hours. */
  working(actor: Actor): AlarmRecord[] {
    return this.#log.openOrSince(this.#options.now() - DAY).filter((alarm) => this.maySee(actor, alarm));
  }

  works(actor: Actor, alarm: AlarmRecord): boolean {
    return (alarm.clearedAt === 0 || alarm.raisedAt >= this.#options.now() - DAY) && this.maySee(actor, alarm);
  }

  /** Alarms raised in a period, including cleared ones, newest first. */
  list(actor: Actor, query: AlarmQuery, wanted: (alarm: AlarmRecord) => boolean = () => true): AlarmRecord[] {
    return this.#log.list(query, (alarm) => wanted(alarm) && this.maySee(actor, alarm));
  }

  /** Refuses, as not found, an alarm that the actor may not see. */
  get(actor: Actor, id: number): AlarmRecord {
    const alarm = this.#records.get(id);
    if (!alarm || !this.maySee(actor, alarm)) throw new Refusal('alarms.missing', { id });
    return alarm;
  }

  /** Whether so many alarms come at once that consoles should group them. */
  flood(actor: Actor): { count: number; since: number } | null {
    const now = this.#options.now();
    return flooded(
      this.#open
        .recent()
        .filter((alarm) => this.maySee(actor, alarm))
        .map(({ raisedAt }) => raisedAt),
      now,
    );
  }

  rate(actor: Actor, from: number, until: number): AlarmRate {
    if (until <= from) throw new Refusal('field.notLater', { field: 'till', other: 'from' });
    if (until - from > LONGEST_RATE) throw new Refusal('events.longPeriod', { days: 92 });
    return rateOf(
      this.#log.raised(from, until).filter((alarm) => this.maySee(actor, alarm)),
      { from, until, now: this.#options.now(), nameOf: (id) => this.#users.get(id)?.name ?? '' },
    );
  }

  acknowledge(actor: Actor, id: number, comment: string): Promise<AlarmRecord> {
    return this.#answer(actor, id, (alarm, now) => acknowledged(alarm, actor.user.id, comment, now));
  }

  shelve(actor: Actor, id: number, until: number, reason: string): Promise<AlarmRecord> {
    return this.#answer(actor, id, (alarm, now) => shelved(alarm, actor.user.id, until, reason, now));
  }

  unshelve(actor: Actor, id: number): Promise<AlarmRecord> {
    return this.#answer(actor, id, (alarm, now) => unshelved(alarm, now));
  }

  /** @param userId 0: any user */
  assign(actor: Actor, id: number, userId: number): Promise<AlarmRecord> {
    const user = userId === 0 ? undefined : this.#users.get(userId);
    const takes = user !== undefined && !user.isDeleted && user.enabled;
    return this.#answer(actor, id, (alarm, now) => {
      if (userId !== 0 && (!takes || !seesOrganization(actor, user.organizationId)))
        throw new Refusal('field.unknown', { field: 'userId', id: userId });
      return assignAlarm(alarm, userId, now);
    });
  }

  /**
   * Silences every sound for half a minute. What is unacknowledged then sounds again; an alarm raised
   * meanwhile sounds at once.
   */
  async silence(actor: Actor): Promise<readonly AlarmRecord[]> {
    requireMayAnswer(actor);
    const heard = this.open(actor).filter((alarm) => alarmState(alarm, this.#options.now()) === 'unacknowledged');
    return Promise.all(
      heard.map(({ id }) => this.#records.change(id, (alarm) => silenced(alarm, this.#options.now()))),
    );
  }

  /** Applies the passing of time. A timer calls it every second; tests call it directly. */
  tick(): void {
    const now = this.#options.now();
    for (const alarm of this.#open.all())
      if (alarm.shelvedUntil > 0 && alarm.shelvedUntil <= now)
        this.#decisions.inTurn(() =>
          this.#records.change(alarm.id, (record) =>
            record.shelvedUntil > this.#options.now() ? record : unshelved(record, this.#options.now()),
          ),
        );
    this.#open.tick(now);
    this.#raiser.tick();
  }

  /** Resolves when all events so far have raised their alarms. */
  idle(): Promise<void> {
    return this.#decisions.idle();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    this.#raiser.close();
    await this.#decisions.close();
  }

  async #answer(
    actor: Actor,
    id: number,
    rule: (alarm: AlarmRecord, now: number) => AlarmRecord,
  ): Promise<AlarmRecord> {
    this.get(actor, id);
    requireMayAnswer(actor);
    return this.#records.change(id, (alarm) => rule(alarm, this.#options.now()));
  }

  #changed(records: readonly AlarmRecord[]): void {
    for (const record of records) this.#open.remember(record, this.#options.now());
    this.#emitter.emit(records);
  }
}

function situationOfSilence(vehicleId: number): string {
  return `${SILENT_CREW.id}|vehicle:${vehicleId}|`;
}

function requireMayAnswer(actor: Actor): void {
  if (!mayDirectCrews(actor)) throw new Refusal('alarms.mayNotAnswer');
}
