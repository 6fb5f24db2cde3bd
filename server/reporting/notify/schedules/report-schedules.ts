import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { seesOrganization, type Actor } from '../../../../shared/access.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { reason, type Reason } from '../../../../shared/refusals/reason.ts';
import { Emitter } from '../../../platform/emitter.ts';
import { Mutex } from '../../../platform/mutex.ts';
import type { ReportWish } from '../../reports/index.ts';
import type { Store } from '../../../store/types.ts';
import type { MailQueue } from '../mail-queue.ts';
import type { ReportFiles } from './report-files.ts';
import { reportLetter } from './report-letter.ts';
import { FollowedSchedules, type FollowedSchedule } from './followed-schedules.ts';
import {
  dueRun,
  lastDue,
  periodOfRun,
  type ReportSchedule,
  type ScheduleFields,
  type ScheduleRun,
} from './schedule.ts';
import { scheduleFields, insertSchedule, readSchedules, updateSchedule } from './schedule-table.ts';

export interface ReportSchedulesOptions {
  readonly store: Pick<Store, 'sql' | 'stationId' | 'writePlain' | 'readOnly' | 'onReadOnly'>;
  readonly mail: MailQueue;
  readonly files: ReportFiles;
  readonly now: () => number;
  /** The user with this id, while enabled. */
  readonly actorOf: (userId: number) => Actor | undefined;
  readonly makeReport: (actor: Actor, wish: ReportWish) => Promise<{ title: string; content: Readable }>;
  readonly report: (message: string, error: unknown) => void;
}

/** How many of the mails of a run were sent, wait, or were given up. */
export interface RunMails {
  readonly sent: number;
  readonly waiting: number;
  readonly failed: number;
}

/**
 * Whether this station sends reports. `promoted`: it does, and those of the station that it replaced, too. `replaced`:
 * its standby does. `waiting`: it has just started, and does not know yet whether its standby was promoted.
 */
export type ReportSender = 'leads' | 'promoted' | 'replaced' | 'waiting';

/** Schedules of a station. */
const MOST = 100;
/** ms between two checks for due reports. */
const LOOK_EVERY = 15_000;
const SWEEP_EVERY = 60 * 60_000;

/**
 * Sends reports by mail at set times (README rules 12 to 17). Schedules are of the station where they were made, until
 * its standby is promoted: no two stations send one report twice.
 */
export class ReportSchedules {
  readonly #options: ReportSchedulesOptions;
  readonly #schedules: Map<number, ReportSchedule>;
  readonly #turns = new Mutex();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #followed: FollowedSchedules;
  readonly #changed = new Emitter<[]>();
  #sender: () => ReportSender = () => 'leads';
  /** The sender at the last look. */
  #looked: ReportSender | undefined;
  #stopFollowing = (): void => undefined;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(options: ReportSchedulesOptions) {
    this.#options = options;
    this.#schedules = new Map(readSchedules(options.store).map((schedule) => [schedule.id, schedule]));
    this.#followed = new FollowedSchedules(options.store);
  }

  /** @param onChange calls its listener when the sender may be another one, and returns the unsubscribe function */
  start(sender: () => ReportSender, onChange: (listener: () => void) => () => void): void {
    this.#sender = sender;
    const stops = [
      this.#options.store.onReadOnly(() => this.look()),
      onChange(() => this.#looked !== undefined && sender() !== this.#looked && this.look()),
    ];
    this.#stopFollowing = () => stops.forEach((stop) => stop());
    this.#timers.push(
      setInterval(() => this.look(), LOOK_EVERY).unref(),
      setInterval(() => void this.#sweep(), SWEEP_EVERY).unref(),
    );
    void this.#sweep();
    this.look();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopFollowing();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
  }

  /** Schedules that a standby takes over, to send their reports when it leads. */
  ofStation(): readonly ReportSchedule[] {
    return [...this.#schedules.values()];
  }

  /** A standby keeps the schedules of the station that it follows. */
  follow(schedules: readonly FollowedSchedule[]): Promise<void> {
    return this.#followed.keep(schedules);
  }

  /** Calls the listener after each change of a schedule. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  /** Makes and sends what is due. */
  look(): void {
    if (this.#closed || this.#options.store.readOnly !== undefined) return;
    this.#looking ??= this.#runDue()
      .catch((error: unknown) => this.#options.report('Reports by mail could not be sent.', error))
      .finally(() => (this.#looking = undefined));
  }

  /** Resolves when nothing is being made. */
  async idle(): Promise<void> {
    while (this.#looking) await this.#looking;
  }

  /** Those of the actor's organization; a superuser sees all. */
  list(by: Actor): ReportSchedule[] {
    return [...this.#schedules.values()].filter(({ organizationId }) => seesOrganization(by, organizationId));
  }

  get(by: Actor, id: number): ReportSchedule {
    const schedule = this.#schedules.get(id);
    if (!schedule || !seesOrganization(by, schedule.organizationId)) throw new Refusal('reports.noSchedule', { id });
    return schedule;
  }

  async create(by: Actor, fields: ScheduleFields): Promise<ReportSchedule> {
    const { store, now } = this.#options;
    if (this.#schedules.size >= MOST) throw new Refusal('reports.tooManySchedules', { most: MOST });
    const owned = { organizationId: by.user.organizationId, ownerId: by.user.id };
    const draft = { ...scheduleFields(fields), ...owned, uid: randomUUID(), since: now(), coveredUntil: 0, last: null };
    const id = await store.writePlain((sql) => insertSchedule(sql, draft));
    return this.#keep({ ...draft, id });
  }

  /**
   * The owner after this actor changed it: the actor. A superuser does not take it from an owner who may
   * still sign in: otherwise changing the time of a report would send its receivers data of all
   * organizations.
   */
  ownerAfter(by: Actor, id: number): Actor {
    const owner = this.#options.actorOf(this.get(by, id).ownerId);
    return by.role.superuser && owner ? owner : by;
  }

  async change(by: Actor, id: number, fields: ScheduleFields): Promise<ReportSchedule> {
    this.get(by, id);
    return this.#turns.run(async () => {
      const { store, now } = this.#options;
      const before = this.get(by, id);
      const ownerId = this.ownerAfter(by, id).user.id;
      const changed = { ...before, ...scheduleFields(fields), ownerId, ...begun(before, fields, now()) };
      await store.writePlain((sql) => updateSchedule(sql, changed));
      return this.#keep(changed);
    });
  }

  /** Removes the schedule. Its mails stay in the mail queue. */
  async remove(by: Actor, id: number): Promise<void> {
    this.get(by, id);
    await this.#options.store.writePlain((sql) => sql.prepare('DELETE FROM report_schedules WHERE id = ?').run(id));
    this.#schedules.delete(id);
    this.#changed.emit();
  }

  /** Sends it now, of the period that a run at this time covers. The next run stays. */
  async sendNow(by: Actor, id: number): Promise<ReportSchedule> {
    this.get(by, id);
    await this.#turns.run(() => this.#run(this.get(by, id), this.#options.now(), true));
    return this.get(by, id);
  }

  /** Outcomes of the mails of its last run. */
  mailsOf({ id, last }: ReportSchedule): RunMails {
    const counts = { sent: 0, waiting: 0, failed: 0 };
    if (!last) return counts;
    const rows = this.#options.store.sql
      .prepare(
        'SELECT state, count(*) AS count FROM mail_files JOIN mail ON mail.id = mail_id WHERE schedule_id = ? AND run_at = ? GROUP BY state',
      )
      .all(id, last.at);
    for (const { state, count } of rows) counts[state as keyof RunMails] = Number(count);
    return counts;
  }

  async #runDue(): Promise<void> {
    const sender = (this.#looked = this.#sender());
    if (sender === 'waiting') return;
    if (sender === 'replaced') return this.#pauseAll();
    await this.#takeOver(sender === 'promoted');
    for (const { id } of [...this.#schedules.values()]) {
      await this.#turns.run(async () => {
        const schedule = this.#schedules.get(id);
        const at = schedule && dueRun(schedule, this.#options.now());
        if (at !== undefined && !this.#closed) await this.#run(schedule!, at, false);
      });
    }
  }

  /** A station that stopped following without a promotion has no right to send what the other one sends. */
  async #takeOver(isPromoted: boolean): Promise<void> {
    if (this.#followed.isEmpty) return;
    return this.#turns.run(async () => {
      const { store } = this.#options;
      const taken = isPromoted ? this.#followed.all() : [];
      const idOf = new Map(this.ofStation().map(({ uid, id }) => [uid, id]));
      const kept = await store.writePlain((sql) => {
        this.#followed.forget(sql);
        return taken.map((draft) => {
          const schedule = { ...draft, id: idOf.get(draft.uid) ?? insertSchedule(sql, draft) };
          updateSchedule(sql, schedule);
          return schedule;
        });
      });
      for (const schedule of kept) this.#keep(schedule);
    });
  }

  /**
   * The promoted standby sends them. If both stations continue to lead, an administrator decides which one
   * sends each.
   */
  async #pauseAll(): Promise<void> {
    for (const { id } of this.ofStation())
      await this.#turns.run(async () => {
        const schedule = this.#schedules.get(id);
        if (!schedule || schedule.isPaused) return;
        const paused = { ...schedule, isPaused: true };
        await this.#options.store.writePlain((sql) => updateSchedule(sql, paused));
        this.#keep(paused);
      });
  }

  /** Call it in turn: a change meanwhile would be overwritten. */
  async #run(schedule: ReportSchedule, at: number, isByHand: boolean): Promise<void> {
    const period = isByHand ? periodOfRun({ ...schedule, coveredUntil: 0 }, at) : periodOfRun(schedule, at);
    try {
      await this.#send(schedule, at, period, isByHand);
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'busy') {
        if (isByHand) throw error;
        return; // the next look tries again
      }
      if (!(error instanceof Refusal)) this.#options.report('A report could not be made.', error);
      const problem = error instanceof Refusal ? { code: error.code, params: error.params } : reason('reports.notMade');
      await this.#note(schedule, { at, ...period, mails: 0, problem }, isByHand);
    }
  }

  async #send(
    schedule: ReportSchedule,
    at: number,
    period: { from: number; until: number },
    isByHand: boolean,
  ): Promise<void> {
    const { files, mail, actorOf, makeReport } = this.#options;
    const owner = actorOf(schedule.ownerId);
    if (!owner) throw new Refusal('reports.ownerGone');
    const receivers = this.#receivers(schedule);
    if (receivers.length === 0) throw new Refusal('reports.noReceivers');
    const { title, content } = await makeReport(owner, wishOf(schedule, period));
    const file = await files.write(content, schedule.form);
    const { subject, text, fileName } = reportLetter(schedule, title, period, file !== undefined);
    // It was removed while the report was made: the sweep takes the file.
    if (!this.#schedules.has(schedule.id)) return;
    const problem: Reason | null = file === undefined ? reason('reports.fileTooLarge') : null;
    const run: ScheduleRun = { at, ...period, mails: receivers.length, problem };
    await this.#note(schedule, run, isByHand, (sql) => {
      for (const { name, address } of receivers) {
        const entry = { taskId: 0, organizationId: schedule.organizationId, name, address, subject, text };
        const mailId = mail.put(sql, entry);
        sql
          .prepare('INSERT INTO mail_files (mail_id, schedule_id, run_at, name, file) VALUES (?, ?, ?, ?, ?)')
          .run(mailId, schedule.id, at, fileName, file ?? '');
      }
    });
    mail.wake();
  }

  /** Stores what became of a run in one commit with its mails, so that a crash repeats none and loses none. */
  async #note(
    schedule: ReportSchedule,
    done: ScheduleRun,
    isByHand: boolean,
    write: (sql: Parameters<Parameters<Store['writePlain']>[0]>[0]) => void = () => undefined,
  ): Promise<void> {
    const run = { ...done, dueAt: isByHand ? lastDue(schedule) : done.at };
    const isCovered = !isByHand && run.mails > 0;
    const changed = { ...schedule, last: run, coveredUntil: isCovered ? run.until : schedule.coveredUntil };
    await this.#options.store.writePlain((sql) => {
      updateSchedule(sql, changed);
      write(sql);
    });
    if (this.#schedules.has(schedule.id)) this.#keep(changed);
  }

  /** Each address once. People have theirs as it is now. */
  #receivers({ addresses, userIds }: ReportSchedule): { name: string; address: string }[] {
    const people = userIds.flatMap((id) => this.#options.actorOf(id)?.user ?? []);
    const all = [
      ...people.map(({ name, email }) => ({ name, address: email.trim() })),
      ...addresses.map((address) => ({ name: address, address })),
    ];
    return [...new Map(all.map((one) => [one.address.toLowerCase() || one.name, one])).values()];
  }

  async #sweep(): Promise<void> {
    const { store, files, now, report } = this.#options;
    if (store.readOnly !== undefined) return;
    try {
      await store.writePlain((sql) => sql.exec('DELETE FROM mail_files WHERE mail_id NOT IN (SELECT id FROM mail)'));
      await files.sweep(store.sql, now());
    } catch (error) {
      report('Files of reports that were sent could not be removed.', error);
    }
  }

  #keep(schedule: ReportSchedule): ReportSchedule {
    this.#schedules.set(schedule.id, schedule);
    this.#changed.emit();
    return schedule;
  }
}

/** A pattern that is changed, or switched on, starts again. */
function begun(before: ReportSchedule, fields: ScheduleFields, now: number): Partial<ReportSchedule> {
  const patternOf = ({ every, day, minute, zone, isPaused }: ScheduleFields) => [every, day, minute, zone, isPaused];
  return patternOf(before).join() === patternOf(fields).join() ? {} : { since: now, coveredUntil: 0 };
}

function wishOf(schedule: ReportSchedule, { from, until }: { from: number; until: number }): ReportWish {
  const { report, form, zone, language, vehicleIds, groupIds } = schedule;
  const listed = (ids: readonly number[]) => (ids.length > 0 ? ids : undefined);
  return {
    kind: report,
    form,
    from,
    until,
    zone,
    language,
    vehicleIds: listed(vehicleIds),
    groupIds: listed(groupIds),
  };
}
