import { ALERT_WITHIN, EMERGENCY } from '../../../../shared/events/alarms.ts';
import type { LastState } from '../../../../shared/fleet/last-state.ts';
import type { AlarmRecord, AlarmRule, Category, EventRecord, Task } from '../../../../shared/records/index.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { digestId } from '../../../platform/digest-id.ts';
import { alarmRecords, type AlarmLog } from './alarm-log.ts';
import { waits, waitsSince } from '../../../../shared/tasks/waiting.ts';
import { alerts, causeOfEvent, causeOfTask, causeOfUnitStatus, situationOfEvent } from './causes.ts';
import type { Decisions } from './decisions.ts';
import {
  causeEnded,
  raised,
  reopened,
  REOPENED_WITHIN,
  withClearedAt,
  type Cause,
  type RaisedRule,
} from './life-cycle.ts';
import type { OpenAlarms } from './open-alarms.ts';
import type { AlarmRuleStore } from './alarm-rule-store.ts';
import { SILENT_CREW } from './silent-crew.ts';
import { VEHICLE_TWICE } from './vehicle-twice.ts';
import { WAITING_RULES } from './waiting-task.ts';

export interface AlarmRaiserOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  /** The last state of every vehicle at the start. */
  lastStates(): Iterable<LastState>;
  /** ms without a record until the signal of a vehicle counts as lost. */
  lostAfter(vehicleId: number): number;
  /** Before its time at which a scheduled task of the organization enters the queue. */
  leadSeconds(organizationId: number): number;
  now(): number;
}

interface AlarmStores {
  readonly rules: AlarmRuleStore;
  readonly log: AlarmLog;
  readonly open: OpenAlarms;
  readonly decisions: Decisions;
}

/** Alarms that other rooms raise and end: no status or task causes them. */
const FOUND_ELSEWHERE: ReadonlySet<string> = new Set([VEHICLE_TWICE.id, SILENT_CREW.id, ...WAITING_RULES]);
/** How far back unassigned tasks are searched (ms). */
const DAY = 24 * 3_600_000;

/**
 * Raises alarms from events, crew statuses and tasks, and ends them with their cause; one alarm for one
 * situation.
 */
export class AlarmRaiser {
  readonly #options: AlarmRaiserOptions;
  readonly #rules: AlarmRuleStore;
  readonly #log: AlarmLog;
  readonly #open: OpenAlarms;
  readonly #decisions: Decisions;
  readonly #records: Records<AlarmRecord>;
  readonly #tasks: Records<Task>;
  readonly #categories: Records<Category>;
  /** Unassigned tasks, each with the time at which it becomes an alarm. */
  readonly #waiting = new Map<number, number>();
  readonly #statuses = new Map<number, { status: number; since: number }>();
  readonly #stops: (() => void)[];

  constructor(options: AlarmRaiserOptions, { rules, log, open, decisions }: AlarmStores) {
    const { store, fleet } = options;
    this.#options = options;
    this.#rules = rules;
    this.#log = log;
    this.#open = open;
    this.#decisions = decisions;
    this.#records = alarmRecords(store);
    this.#tasks = store.records('tasks');
    this.#categories = store.kind<Category>('directories', 'category');
    this.#stops = [
      store.records('events').watch((changes) => {
        for (const { record, deleted } of changes)
          if (open.idOfEvent(record.id) !== undefined || (!deleted && this.#ruleForEvent(record)))
            decisions.inTurn(() => this.#considerEvent(record, deleted));
      }),
      this.#tasks.watch((changes) => changes.forEach(({ record, deleted }) => this.#considerTask(record, deleted))),
      fleet.states.watch((states) => states.forEach((state) => this.#considerStatus(state))),
    ];
  }

  /** Catches up: events without their alarm, alarms whose cause is gone. */
  async makeUp(): Promise<void> {
    const now = this.#options.now();
    this.#statuses.clear();
    for (const alarm of this.#open.all()) {
      if (alarm.eventId > 0) {
        const event = this.#log.event(alarm.eventId);
        this.#decisions.inTurn(() =>
          event ? this.#considerEvent(event, false) : this.#causeGone(alarm.id, now, true),
        );
      } else if (alarm.taskId > 0) {
        const task = this.#tasks.get(alarm.taskId);
        if (!task || !waits(task))
          this.#decisions.inTurn(() => this.#causeGone(alarm.id, task?.updatedAt ?? now, false));
      }
    }
    for (const event of this.#log.eventsSince(now - ALERT_WITHIN))
      if (this.#ruleForEvent(event)) this.#decisions.inTurn(() => this.#considerEvent(event, false));
    for (const state of this.#options.lastStates())
      this.#considerStatus(this.#options.fleet.states.get(state.id) ?? state);
    for (const task of this.#log.newTasks(now - DAY)) this.#considerTask(task, false);
    await this.#decisions.idle();
  }

  /** Checks which tasks have waited too long. */
  tick(): void {
    const now = this.#options.now();
    for (const [taskId, due] of this.#waiting) {
      if (due > now) continue;
      this.#waiting.delete(taskId);
      this.#decisions.inTurn(() => this.#taskWaits(taskId));
    }
  }

  /** For a situation that no rule of an organization covers. */
  raiseFound(rule: RaisedRule, cause: Cause): void {
    this.#decisions.inTurn(() => this.#raise(rule, cause));
  }

  /** For a situation that another station or an earlier run may have raised: one that began since is known. */
  raiseOnce(rule: RaisedRule, cause: Cause): void {
    this.#decisions.inTurn(async () => {
      if ((this.#log.latestOf(cause.situation)?.since ?? -1) < cause.since) await this.#raise(rule, cause);
    });
  }

  /** Whether a rule of the organization watches over new tasks of this importance. */
  watchesOver({ organizationId, categoryId }: Pick<Task, 'organizationId' | 'categoryId'>): boolean {
    const importance = categoryId === 0 ? undefined : this.#categories.get(categoryId)?.importance;
    return importance !== undefined && this.#rules.forTask(organizationId, importance) !== undefined;
  }

  endFound(situation: string, at: number): void {
    this.#decisions.inTurn(async () => {
      const latest = this.#log.latestOf(situation);
      if (latest && latest.goneAt === 0) await this.#causeGone(latest.id, at, false);
    });
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #ruleForEvent({ vehicleId, type, subject }: EventRecord): AlarmRule | undefined {
    const vehicle = this.#options.fleet.get(vehicleId);
    return vehicle && this.#rules.forEvent(vehicle.organizationId, type, subject);
  }

  async #considerEvent(event: EventRecord, deleted: boolean): Promise<void> {
    const now = this.#options.now();
    const rule = this.#ruleForEvent(event);
    const vehicle = this.#options.fleet.get(event.vehicleId);
    const open = this.#open.idOfEvent(event.id);
    if (open !== undefined && (deleted || event.until > 0)) {
      const other =
        rule &&
        this.#log
          .lasting(event.vehicleId, event.type)
          .find((one) => one.id !== event.id && situationOfEvent(rule, one) === situationOfEvent(rule, event));
      if (rule && vehicle && other)
        await this.#records.change(open, (alarm) => reopened(alarm, causeOfEvent(rule, other, vehicle.organizationId)));
      else await this.#causeGone(open, deleted ? now : event.until, deleted);
    } else if (
      rule &&
      vehicle &&
      !deleted &&
      (open !== undefined || alerts(event, this.#options.lostAfter(event.vehicleId), now))
    ) {
      await this.#raise(rule, causeOfEvent(rule, event, vehicle.organizationId));
    }
  }

  #considerTask(task: Task, deleted: boolean): void {
    const importance = task.categoryId === 0 ? undefined : this.#categories.get(task.categoryId)?.importance;
    const rule = importance === undefined ? undefined : this.#rules.forTask(task.organizationId, importance);
    if (!deleted && rule && waits(task)) {
      this.#waiting.set(task.id, this.#waitsSince(task) + rule.source.afterSeconds * 1000);
      return;
    }
    this.#waiting.delete(task.id);
    const alarm = this.#open
      .all()
      .find(
        ({ taskId, eventId, goneAt, rule: raisedBy }) =>
          taskId === task.id && eventId === 0 && goneAt === 0 && !FOUND_ELSEWHERE.has(raisedBy),
      );
    if (alarm) this.#decisions.inTurn(() => this.#causeGone(alarm.id, this.#options.now(), false));
  }

  async #taskWaits(taskId: number): Promise<void> {
    const task = this.#tasks.get(taskId);
    const importance = task && this.#categories.get(task.categoryId)?.importance;
    const rule = importance === undefined ? undefined : this.#rules.forTask(task!.organizationId, importance);
    if (!task || !rule || !waits(task)) return;
    if (this.#options.now() - (this.#waitsSince(task) + rule.source.afterSeconds * 1000) > ALERT_WITHIN) return;
    await this.#raise(rule, causeOfTask(rule, task));
  }

  /** A scheduled task waits for nobody before it enters the queue. */
  #waitsSince(task: Task): number {
    return waitsSince(task, { leadSeconds: this.#options.leadSeconds(task.organizationId) });
  }

  #considerStatus(state: LastState): void {
    const before = this.#statuses.get(state.id);
    if (state.unitStatusSince === 0 || before?.since === state.unitStatusSince) return;
    this.#statuses.set(state.id, { status: state.unitStatus, since: state.unitStatusSince });
    const vehicle = this.#options.fleet.get(state.id);
    if (!vehicle) return;
    for (const alarm of this.#open.all()) {
      if (
        alarm.vehicleId !== state.id ||
        alarm.eventId !== 0 ||
        alarm.taskId !== 0 ||
        alarm.goneAt > 0 ||
        FOUND_ELSEWHERE.has(alarm.rule) ||
        alarm.info === String(state.unitStatus)
      )
        continue;
      this.#decisions.inTurn(() => this.#causeGone(alarm.id, state.unitStatusSince, false));
    }
    const rule = this.#rules.forUnitStatus(vehicle.organizationId, state.unitStatus);
    if (rule && this.#options.now() - state.unitStatusSince <= ALERT_WITHIN)
      this.#decisions.inTurn(() => this.#raise(rule, causeOfUnitStatus(rule, state, vehicle.organizationId)));
  }

  /** A situation has one alarm: a cause joins an open or a recently cleared one. */
  async #raise(rule: RaisedRule, cause: Cause): Promise<void> {
    const now = this.#options.now();
    const latest = this.#log.latestOf(cause.situation);
    if (latest && joins(latest, cause))
      await this.#records.change(latest.id, (alarm) => withClearedAt(reopened(alarm, cause), now));
    else {
      const id = digestId(`alarm|${cause.situation}|${cause.since}`);
      if (!this.#records.get(id)) await this.#records.insert(raised(id, rule, cause, now), 'computed');
    }
  }

  async #causeGone(id: number, at: number, withdrawn: boolean): Promise<void> {
    await this.#records.change(id, (alarm) => causeEnded(alarm, at, withdrawn, this.#options.now()));
  }
}

/** Whether a cause belongs to the latest alarm of its situation. */
function joins(latest: AlarmRecord, cause: Cause): boolean {
  if (latest.clearedAt === 0) return true;
  // It belonged to that alarm already; the station only sees it again after a restart.
  if (cause.since >= latest.since && cause.since <= latest.clearedAt && cause.until > 0) return true;
  return cause.until === 0 && latest.priority !== EMERGENCY && cause.since - latest.goneAt <= REOPENED_WITHIN;
}
