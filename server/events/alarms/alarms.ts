import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import { ALERT_WITHIN, alarmState, byUrgency, EMERGENCY, flooded, FLOOD } from '../../../shared/alarms.ts';
import type { AlarmRecord, AlarmRule, Category, EventRecord, Message, User } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { LastState } from '../../../shared/last-state.ts';
import type { Fleet } from '../../fleet/index.ts';
import type { Records, Store } from '../../store/door.ts';
import { digestId } from '../digest-id.ts';
import { AlarmLog, type AlarmQuestion } from './alarm-log.ts';
import { alerts, causeOfEvent, causeOfMessage, causeOfUnitStatus, situationOfEvent, waits } from './causes.ts';
import { acknowledged, assigned, gone, raised, rejoined, REOPENED_WITHIN, returned, settled, shelved, silenced, type Cause } from './life-cycle.ts';
import { rateOf, type AlarmRate } from './rate.ts';
import { AlarmRuleBook } from './rule-book.ts';

export interface AlarmsOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  /** How every vehicle stands at the start. */
  lastStates(): Iterable<LastState>;
  /** ms of silence after which the signal of a vehicle counts as lost. */
  lostAfter(vehicleId: number): number;
  maySeeMessage(actor: Actor, messageId: number): boolean;
  now(): number;
  report(error: unknown): void;
}

/** ms between two looks at what the clock alone changes: shelves whose time is over, messages that wait too long. */
const TICK = 1_000;
const DAY = 24 * 3_600_000;

/**
 * What operators have to answer: raised by events, crews and messages through the rules of the organisation, one alarm for one situation. Every change is on
 * disk before it is told. What was missed while the station was down, or between an event and its alarm, is made up for at the start.
 */
export class Alarms {
  readonly rules: AlarmRuleBook;
  readonly #options: AlarmsOptions;
  readonly #records: Records<AlarmRecord>;
  readonly #messages: Records<Message>;
  readonly #categories: Records<Category>;
  readonly #users: Records<User>;
  readonly #log: AlarmLog;
  /** All that are not cleared. */
  readonly #open = new Map<number, AlarmRecord>();
  readonly #openByEvent = new Map<number, number>();
  /** When each was raised that is part of what a flood is counted by. */
  readonly #recent = new Map<number, AlarmRecord>();
  /** Messages that nobody has taken up, and until when that is no alarm. */
  readonly #waiting = new Map<number, number>();
  readonly #statuses = new Map<number, { status: number; since: number }>();
  readonly #listeners = new Set<(changed: readonly AlarmRecord[]) => void>();
  readonly #stops: (() => void)[];
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(options: AlarmsOptions) {
    const { store, fleet } = options;
    this.#options = options;
    this.rules = new AlarmRuleBook(store);
    this.#records = store.records('alarms') as unknown as Records<AlarmRecord>;
    this.#messages = store.records('messages');
    this.#categories = store.kind<Category>('directories', 'category');
    this.#users = store.kind<User>('accounts', 'user');
    this.#log = new AlarmLog(store);
    for (const alarm of this.#log.openOrSince(options.now() - FLOOD.within)) this.#remember(alarm);
    const timer = setInterval(() => this.tick(), TICK);
    timer.unref();
    this.#stops = [
      () => clearInterval(timer),
      // Whoever wrote, also a merge from another station.
      this.#records.watch((changes) => this.#changed(changes.map(({ record }) => record))),
      store.records('events').watch((changes) => {
        for (const { record, deleted } of changes) if (this.#openByEvent.has(record.id) || (!deleted && this.#ruleForEvent(record))) this.#inTurn(() => this.#considerEvent(record, deleted));
      }),
      this.#messages.watch((changes) => changes.forEach(({ record, deleted }) => this.#considerMessage(record, deleted))),
      fleet.states.watch((states) => states.forEach((state) => this.#considerStatus(state))),
    ];
  }

  static async open(options: AlarmsOptions): Promise<Alarms> {
    const alarms = new Alarms(options);
    await alarms.#makeUp();
    return alarms;
  }

  /** Told of alarms that are new or changed, when they are on disk. Returns the way to stop. */
  watch(listener: (changed: readonly AlarmRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  maySee(actor: Actor, alarm: AlarmRecord): boolean {
    if (!seesOrganization(actor, alarm.organizationId)) return false;
    return alarm.messageId === 0 || alarm.eventId > 0 || this.#options.maySeeMessage(actor, alarm.messageId);
  }

  /** All that are open and may be seen, the most urgent first. */
  open(actor: Actor): AlarmRecord[] {
    return [...this.#open.values()].filter((alarm) => this.maySee(actor, alarm)).sort(byUrgency(this.#options.now()));
  }

  /** What consoles hold: all that are open, and those of the last 24 hours. */
  working(actor: Actor): AlarmRecord[] {
    return this.#log.openOrSince(this.#options.now() - DAY).filter((alarm) => this.maySee(actor, alarm));
  }

  works(actor: Actor, alarm: AlarmRecord): boolean {
    return (alarm.clearedAt === 0 || alarm.raisedAt >= this.#options.now() - DAY) && this.maySee(actor, alarm);
  }

  /** Those raised in a span of time, the cleared ones too, newest first. */
  list(actor: Actor, question: AlarmQuestion, wanted: (alarm: AlarmRecord) => boolean = () => true): AlarmRecord[] {
    return this.#log.list(question, (alarm) => wanted(alarm) && this.maySee(actor, alarm));
  }

  /** Refuses, as not found, what may not be seen. */
  get(actor: Actor, id: number): AlarmRecord {
    const alarm = this.#records.get(id);
    if (!alarm || !this.maySee(actor, alarm)) throw new Refusal('not-found', `There is no alarm ${id}.`);
    return alarm;
  }

  /** Whether so many come at once that they should be shown in groups. */
  flood(actor: Actor): { count: number; since: number } | null {
    const now = this.#options.now();
    return flooded([...this.#recent.values()].filter((alarm) => this.maySee(actor, alarm)).map(({ raisedAt }) => raisedAt), now);
  }

  rate(actor: Actor, from: number, till: number): AlarmRate {
    if (till <= from) throw new Refusal('invalid', 'till must be later than from.');
    if (till - from > 92 * DAY) throw new Refusal('invalid', 'from and till may be 92 days apart at most.');
    return rateOf(this.#log.raised(from, till).filter((alarm) => this.maySee(actor, alarm)), { from, till, now: this.#options.now(), nameOf: (id) => this.#users.get(id)?.name ?? '' });
  }

  acknowledge(actor: Actor, id: number, comment: string): Promise<AlarmRecord> {
    return this.#answer(actor, id, (alarm, now) => acknowledged(alarm, actor.user.id, comment, now));
  }

  shelve(actor: Actor, id: number, until: number, reason: string): Promise<AlarmRecord> {
    return this.#answer(actor, id, (alarm, now) => shelved(alarm, actor.user.id, until, reason, now));
  }

  unshelve(actor: Actor, id: number): Promise<AlarmRecord> {
    return this.#answer(actor, id, (alarm, now) => returned(alarm, now));
  }

  /** @param userId 0: nobody in particular */
  assign(actor: Actor, id: number, userId: number): Promise<AlarmRecord> {
    const user = userId === 0 ? undefined : this.#users.get(userId);
    const takes = user !== undefined && !user.withdrawn && user.enabled;
    return this.#answer(actor, id, (alarm, now) => {
      if (userId !== 0 && (!takes || !seesOrganization(actor, user.organizationId))) throw new Refusal('invalid', `userId ${userId} does not exist.`);
      return assigned(alarm, userId, now);
    });
  }

  /** Every sound is off for half a minute; what is not acknowledged by then sounds again, and what is raised meanwhile sounds at once. */
  async silence(actor: Actor): Promise<readonly AlarmRecord[]> {
    demandMayAnswer(actor);
    const heard = this.open(actor).filter((alarm) => alarmState(alarm, this.#options.now()) === 'unacknowledged');
    return Promise.all(heard.map(({ id }) => this.#records.change(id, (alarm) => silenced(alarm, this.#options.now()))));
  }

  /** Looks what the clock changed. Called every second; tests call it when they like. */
  tick(): void {
    const now = this.#options.now();
    for (const alarm of this.#open.values()) if (alarm.shelvedUntil > 0 && alarm.shelvedUntil <= now) this.#inTurn(() => this.#records.change(alarm.id, (record) => (record.shelvedUntil > this.#options.now() ? record : returned(record, this.#options.now()))));
    for (const alarm of this.#recent.values()) if (alarm.raisedAt < now - FLOOD.within) this.#recent.delete(alarm.id);
    for (const [messageId, due] of this.#waiting) {
      if (due > now) continue;
      this.#waiting.delete(messageId);
      this.#inTurn(() => this.#messageWaits(messageId));
    }
  }

  /** Resolves when everything that happened so far has raised its alarms. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await this.#last;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.idle();
  }

  async #answer(actor: Actor, id: number, rule: (alarm: AlarmRecord, now: number) => AlarmRecord): Promise<AlarmRecord> {
    this.get(actor, id);
    demandMayAnswer(actor);
    return this.#records.change(id, (alarm) => rule(alarm, this.#options.now()));
  }

  /** What happened while nobody looked: events without their alarm, alarms whose cause is gone. */
  async #makeUp(): Promise<void> {
    const now = this.#options.now();
    for (const alarm of [...this.#open.values()]) {
      if (alarm.eventId > 0) {
        const event = this.#log.event(alarm.eventId);
        this.#inTurn(() => (event ? this.#considerEvent(event, false) : this.#causeGone(alarm.id, now, true)));
      } else if (alarm.messageId > 0) {
        const message = this.#messages.get(alarm.messageId);
        if (!message || !waits(message)) this.#inTurn(() => this.#causeGone(alarm.id, message?.updatedAt ?? now, false));
      }
    }
    for (const event of this.#log.eventsSince(now - ALERT_WITHIN)) if (this.#ruleForEvent(event)) this.#inTurn(() => this.#considerEvent(event, false));
    for (const state of this.#options.lastStates()) this.#considerStatus(this.#options.fleet.states.get(state.id) ?? state);
    for (const message of this.#log.newMessages(now - DAY)) this.#considerMessage(message, false);
    await this.idle();
  }

  #ruleForEvent({ vehicleId, type, subject }: EventRecord): AlarmRule | undefined {
    const vehicle = this.#options.fleet.get(vehicleId);
    return vehicle && this.rules.forEvent(vehicle.organizationId, type, subject);
  }

  async #considerEvent(event: EventRecord, deleted: boolean): Promise<void> {
    const now = this.#options.now();
    const rule = this.#ruleForEvent(event);
    const vehicle = this.#options.fleet.get(event.vehicleId);
    const open = this.#openByEvent.get(event.id);
    if (open !== undefined && (deleted || event.till > 0)) {
      const other = rule && this.#log.lasting(event.vehicleId, event.type).find((one) => one.id !== event.id && situationOfEvent(rule, one) === situationOfEvent(rule, event));
      if (rule && vehicle && other) await this.#records.change(open, (alarm) => rejoined(alarm, causeOfEvent(rule, other, vehicle.organizationId)));
      else await this.#causeGone(open, deleted ? now : event.till, deleted);
    } else if (rule && vehicle && !deleted && (open !== undefined || alerts(event, this.#options.lostAfter(event.vehicleId), now))) {
      await this.#raise(rule, causeOfEvent(rule, event, vehicle.organizationId));
    }
  }

  #considerMessage(message: Message, deleted: boolean): void {
    const importance = message.categoryId === 0 ? undefined : this.#categories.get(message.categoryId)?.importance;
    const rule = importance === undefined ? undefined : this.rules.forMessage(message.departmentId, importance);
    if (!deleted && rule && waits(message)) {
      this.#waiting.set(message.id, message.statusSince + rule.source.afterSeconds * 1000);
      return;
    }
    this.#waiting.delete(message.id);
    const alarm = [...this.#open.values()].find(({ messageId, eventId, goneAt }) => messageId === message.id && eventId === 0 && goneAt === 0);
    if (alarm) this.#inTurn(() => this.#causeGone(alarm.id, this.#options.now(), false));
  }

  async #messageWaits(messageId: number): Promise<void> {
    const message = this.#messages.get(messageId);
    const importance = message && this.#categories.get(message.categoryId)?.importance;
    const rule = importance === undefined ? undefined : this.rules.forMessage(message!.departmentId, importance);
    if (!message || !rule || !waits(message)) return;
    if (this.#options.now() - (message.statusSince + rule.source.afterSeconds * 1000) > ALERT_WITHIN) return;
    await this.#raise(rule, causeOfMessage(rule, message));
  }

  #considerStatus(state: LastState): void {
    const before = this.#statuses.get(state.id);
    if (state.unitStatusSince === 0 || before?.since === state.unitStatusSince) return;
    this.#statuses.set(state.id, { status: state.unitStatus, since: state.unitStatusSince });
    const vehicle = this.#options.fleet.get(state.id);
    if (!vehicle) return;
    for (const alarm of this.#open.values()) {
      if (alarm.vehicleId !== state.id || alarm.eventId !== 0 || alarm.messageId !== 0 || alarm.goneAt > 0 || alarm.info === String(state.unitStatus)) continue;
      this.#inTurn(() => this.#causeGone(alarm.id, state.unitStatusSince, false));
    }
    const rule = this.rules.forUnitStatus(vehicle.organizationId, state.unitStatus);
    if (rule && this.#options.now() - state.unitStatusSince <= ALERT_WITHIN) this.#inTurn(() => this.#raise(rule, causeOfUnitStatus(rule, state, vehicle.organizationId)));
  }

  /** One situation is one alarm: what is open, or wavers, is joined. */
  async #raise(rule: AlarmRule, cause: Cause): Promise<void> {
    const now = this.#options.now();
    const latest = this.#log.latestOf(cause.situation);
    if (latest && joins(latest, cause)) await this.#records.change(latest.id, (alarm) => settled(rejoined(alarm, cause), now));
    else {
      const id = digestId(`alarm|${cause.situation}|${cause.since}`);
      if (!this.#records.get(id)) await this.#records.insert(raised(id, rule, cause, now));
    }
  }

  async #causeGone(id: number, at: number, withdrawn: boolean): Promise<void> {
    await this.#records.change(id, (alarm) => gone(alarm, at, withdrawn, this.#options.now()));
  }

  #changed(records: readonly AlarmRecord[]): void {
    for (const record of records) this.#remember(record);
    for (const listener of this.#listeners) listener(records);
  }

  #remember(alarm: AlarmRecord): void {
    const before = this.#open.get(alarm.id);
    if (before && this.#openByEvent.get(before.eventId) === alarm.id) this.#openByEvent.delete(before.eventId);
    if (alarm.clearedAt > 0) this.#open.delete(alarm.id);
    else {
      this.#open.set(alarm.id, alarm);
      if (alarm.eventId > 0) this.#openByEvent.set(alarm.eventId, alarm.id);
    }
    if (alarm.raisedAt >= this.#options.now() - FLOOD.within) this.#recent.set(alarm.id, alarm);
  }

  /** Decisions about alarms are made one after the other: the next one reads what the one before has stored. */
  #inTurn(work: () => Promise<unknown>): void {
    if (this.#closed) return;
    this.#last = this.#last.then(work).catch((error: unknown) => this.#options.report(error));
  }
}

/** Whether a cause belongs to the latest alarm of its situation. */
function joins(latest: AlarmRecord, cause: Cause): boolean {
  if (latest.clearedAt === 0) return true;
  // It was part of it all along; the station only comes back to it after a restart.
  if (cause.since >= latest.since && cause.since <= latest.clearedAt && cause.till > 0) return true;
  return cause.till === 0 && latest.priority !== EMERGENCY && cause.since - latest.goneAt <= REOPENED_WITHIN;
}

function demandMayAnswer(actor: Actor): void {
  if (!mayDirectCrews(actor)) throw new Refusal('forbidden', 'You may not answer alarms: it takes the right to change the status of tasks.');
}
