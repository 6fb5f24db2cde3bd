import { administers, mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import { ALERT_WITHIN } from '../../../shared/events/alarms.ts';
import { alarmAt, safetyTimer, DEFAULT_SAFETY_MINUTES } from '../../../shared/fleet/safety-timer.ts';
import type { CrewMessage, CrewSign, ShiftSettings, StoredUnit, Task } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { DONE } from '../../../shared/tasks/status.ts';
import { activeUnits, isOpenTask } from '../../../shared/tasks/units.ts';
import type { Records, Store } from '../../store/types.ts';

/** A crew that missed its checks. */
export interface SilentCrew {
  readonly vehicleId: number;
  readonly organizationId: number;
  /** When it missed its last check: the same at every station. */
  readonly since: number;
}

export interface SafetyOptions {
  readonly store: Store;
  now(): number;
  organizationOf(vehicleId: number): number | undefined;
  /** One call for each crew, until it ends. */
  raise(crew: SilentCrew): Promise<void>;
  end(vehicleId: number, at: number): Promise<void>;
  report(error: unknown): void;
}

/** ms */
const TICK = 1_000;

/** Safety timers of crews on scene (README rules 10 to 12). */
export class Safety {
  readonly #options: SafetyOptions;
  readonly #signs: Records<CrewSign>;
  readonly #settings: Records<ShiftSettings>;
  readonly #heardAt = new Map<number, number>();
  readonly #minutes = new Map<number, number>();
  /** The units on scene of each open task. */
  readonly #onScene = new Map<number, readonly StoredUnit[]>();
  /** Crews that this station reported, with the time that they were reported for. */
  readonly #silent = new Map<number, number>();
  readonly #stops: (() => void)[];
  #checking: Promise<void> = Promise.resolve();
  #isChecking = false;

  constructor(options: SafetyOptions, silent: Iterable<number> = []) {
    this.#options = options;
    this.#signs = options.store.kind<CrewSign>('fleet', 'crewSign');
    this.#settings = options.store.kind<ShiftSettings>('fleet', 'shiftSettings');
    for (const vehicleId of silent) this.#silent.set(vehicleId, 0);
    for (const { id, heard } of this.#signs.all()) this.#heardAt.set(id, heard.at);
    for (const { id, safetyMinutes } of this.#settings.all()) this.#minutes.set(id, safetyMinutes);
    this.#readTasks();
    const timer = setInterval(() => this.#tick(), TICK);
    timer.unref();
    this.#stops = [
      () => clearInterval(timer),
      options.store.records('tasks').watch((changes) => {
        for (const { record, deleted } of changes) this.#noteTask(record, deleted);
      }),
      options.store.kind<CrewMessage>('fleet', 'crewMessage').watch((changes) => {
        for (const { record, before } of changes) if (!before && record.vehicleId !== 0) this.#hearMessage(record);
      }),
      this.#signs.watch((changes) => {
        for (const { record } of changes) this.#heardAt.set(record.id, record.heard.at);
      }),
      this.#settings.watch((changes) => {
        for (const { record } of changes) this.#minutes.set(record.id, record.safetyMinutes);
      }),
    ];
  }

  minutesOf(organizationId: number): number {
    return this.#minutes.get(organizationId) ?? DEFAULT_SAFETY_MINUTES;
  }

  /** @param minutes 0: no timers */
  async setMinutes(by: Actor, organizationId: number, minutes: number): Promise<number> {
    if (!administers(by, organizationId)) throw new Refusal('shifts.settingsByAdministrator');
    if (this.#settings.get(organizationId))
      await this.#settings.change(organizationId, (settings) =>
        settings.safetyMinutes === minutes ? settings : { ...settings, safetyMinutes: minutes },
      );
    else
      await this.#settings.insert({
        ...{ id: organizationId, kind: 'shiftSettings', name: '', isDeleted: false, organizationId },
        safetyMinutes: minutes,
      });
    return this.minutesOf(organizationId);
  }

  /** Somebody heard the crew: its timer restarts. */
  async heard(by: Actor, vehicleId: number): Promise<CrewSign> {
    const organizationId = this.#options.organizationOf(vehicleId);
    if (organizationId === undefined || !seesOrganization(by, organizationId))
      throw new Refusal('fleet.missing', { id: vehicleId });
    if (!mayDirectCrews(by)) throw new Refusal('fleet.statusByTask');
    return this.#note(vehicleId, organizationId, { at: this.#options.now(), userId: by.user.id });
  }

  /** Reports crews that are silent for too long, and ends that of those that are not any more. A timer calls it. */
  async check(): Promise<void> {
    const { store, now, organizationOf, raise, end } = this.#options;
    // A standby raises nothing; it catches up when it leads.
    if (store.readOnly !== undefined) return;
    const at = now();
    const silent = new Map<number, SilentCrew>();
    for (const unit of [...this.#onScene.values()].flat()) {
      const organizationId = organizationOf(unit.vehicleId);
      if (organizationId === undefined) continue;
      const heardAt = this.#heardAt.get(unit.vehicleId) ?? 0;
      const timer = safetyTimer(unit, heardAt, this.minutesOf(organizationId));
      if (!timer || at < alarmAt(timer)) continue;
      silent.set(unit.vehicleId, { vehicleId: unit.vehicleId, organizationId, since: alarmAt(timer) });
    }
    for (const vehicleId of [...this.#silent.keys()])
      if (!silent.has(vehicleId)) {
        this.#silent.delete(vehicleId);
        await end(vehicleId, at);
      }
    for (const crew of silent.values()) {
      if (this.#silent.get(crew.vehicleId) === crew.since) continue;
      this.#silent.set(crew.vehicleId, crew.since);
      // A station that was offline did not listen: old entries are no news.
      if (at - crew.since <= ALERT_WITHIN) await raise(crew);
    }
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#checking;
  }

  /** A message of the crew is a sign of life. Where another station has noted it, nothing is left to do. */
  #hearMessage({ vehicleId, organizationId, at }: CrewMessage): void {
    const { store, report } = this.#options;
    if (store.readOnly !== undefined || (this.#heardAt.get(vehicleId) ?? 0) >= at) return;
    this.#note(vehicleId, organizationId, { at, userId: 0 }).catch(report);
  }

  async #note(vehicleId: number, organizationId: number, heard: CrewSign['heard']): Promise<CrewSign> {
    if (this.#signs.get(vehicleId))
      return this.#signs.change(vehicleId, (sign) =>
        sign.heard.at >= heard.at ? sign : { ...sign, organizationId, heard },
      );
    return this.#signs.insert({
      ...{ id: vehicleId, kind: 'crewSign', name: '', isDeleted: false, organizationId },
      heard,
    });
  }

  #readTasks(): void {
    const { store } = this.#options;
    // A damaged record must not keep the station from starting.
    const open = store.sql
      .prepare(
        `SELECT data FROM ${store.table('tasks')} WHERE deleted = 0 AND isDeleted = 0 AND status < ${DONE} AND assignedVehicleId > 0 AND json_valid(data)`,
      )
      .iterate();
    for (const row of open) this.#noteTask(JSON.parse(String(row['data'])) as Task, false);
  }

  #noteTask(task: Task, deleted: boolean): void {
    const there = !deleted && isOpenTask(task) ? activeUnits(task).filter(({ onSceneAt }) => onSceneAt > 0) : [];
    if (there.length > 0) this.#onScene.set(task.id, there);
    else this.#onScene.delete(task.id);
  }

  #tick(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#checking = this.check()
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => (this.#isChecking = false));
  }
}
