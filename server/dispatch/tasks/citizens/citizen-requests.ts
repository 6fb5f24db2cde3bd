import { createHash, timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { administers, mayDo, type Actor } from '../../../../shared/access.ts';
import { isAvailable } from '../../../../shared/custom-fields/custom-fields.ts';
import type { CustomField, Task, TaskType } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { isMerged, rootOf } from '../../../../shared/tasks/merged.ts';
import { DONE, NEW } from '../../../../shared/tasks/status.ts';
import { LONGEST_TITLE } from '../../../../shared/tasks/title.ts';
import { shortened } from '../../../../shared/text/characters.ts';
import type { AttachOrder } from '../../files/index.ts';
import type { Tasks } from '../tasks.ts';
import { linesOfReport, reportFrom, type CitizenReport } from './reported.ts';

export interface CitizenSettings {
  /** Login of the user in whose name citizens report; null: they cannot. */
  readonly user: string | null;
  /** Types of tasks that they may report. */
  readonly typeIds: readonly number[];
  /** Whether the page of citizens is open. */
  readonly page: boolean;
}

/** A request as everybody may read it: the citizen's own words and the state of the task. */
export interface CitizenRequest {
  readonly id: number;
  readonly report: Omit<CitizenReport, 'contact' | 'code'>;
  readonly typeName: string;
  readonly organization: string;
  readonly isOpen: boolean;
  readonly requestedAt: number;
  readonly updatedAt: number;
}

/** How far a report is, as the citizen reads it. A task that is back for feedback is still under way. */
export type ReportStep = 'received' | 'underWay' | 'done';

/** A report of the page, as the one who knows its code reads it. */
export interface FollowedReport extends CitizenRequest {
  readonly step: ReportStep;
  /** epoch ms */
  readonly stepSince: number;
}

export interface CitizenFilter {
  readonly typeIds?: readonly number[] | undefined;
  /** Bounds of the time of the request, epoch ms, both inclusive. */
  readonly from: number;
  readonly until: number;
  readonly isOpen?: boolean | undefined;
}

/** Most requests of a list; the standard names this number. */
const LONGEST_LIST = 1000;
/** Tasks read before yielding to the event loop: about a millisecond. */
const PAGE = 100;
/** Pages that one list reads at most: of 5,000 requests in 90 days the oldest are not looked at. */
const PAGES = 50;

const NO_ASSIGNMENT = { assignedOrganizationId: 0, assignedUserId: 0 };

/** Compares in a time that tells nothing of how much is right. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}

/** Requests of citizens: tasks of open types, in the name of one user. */
export class CitizenRequests {
  readonly #tasks: Tasks;
  readonly #settings: CitizenSettings;

  constructor(tasks: Tasks, settings: CitizenSettings) {
    this.#tasks = tasks;
    this.#settings = settings;
  }

  /** The problem of health while citizens were meant to report, and cannot. */
  problems(): { readonly code: string; readonly text: string }[] {
    const { user: login } = this.#settings;
    if (login === null || this.#user(login)) return [];
    return [
      { code: 'citizens.user', text: `citizens.user names ${login}, who may not sign in: citizens cannot report.` },
    ];
  }

  /** The types that citizens may report. Refuses while nobody opened any. */
  types(): TaskType[] {
    this.#actor();
    return this.#settings.typeIds.flatMap((id) => this.#openType(id) ?? []);
  }

  /** @param code its id in digits */
  type(code: string): TaskType {
    const type = this.types().find((one) => String(one.id) === code);
    if (!type) throw new Refusal('citizens.noType', { code: code.slice(0, 40) });
    return type;
  }

  /** Refuses while the page of citizens is closed, or nobody may report. */
  requirePage(): void {
    if (!this.#settings.page) throw new Refusal('citizens.pageOff');
    this.#actor();
  }

  /** The user in whose name citizens report, and whether they may attach files to a report of this type. */
  author(typeId: number): { readonly userId: number; readonly mayAttach: boolean } {
    const actor = this.#actor();
    const draft = { ...NO_ASSIGNMENT, typeId, organizationId: actor.user.organizationId, authorId: actor.user.id };
    return { userId: actor.user.id, mayAttach: mayDo(actor, 'attach', draft, this.#tasks.rules()) };
  }

  /** The custom fields that a citizen fills in. Shapes cannot be sent. */
  fieldsOf(typeId: number): CustomField[] {
    return this.#tasks
      .currentCustomFields()
      .filter((field) => (field.visible || field.required) && field.format !== 'geometry')
      .filter((field) => isAvailable(field, typeId));
  }

  /** Only the user of citizens themself, or an administrator of their organization, lends a key to a program. */
  requireKeyOf(owner: Actor): void {
    const { user } = this.#actor();
    if (owner.user.id !== user.id && !administers(owner, user.organizationId))
      throw new Refusal('citizens.keyOfAnother');
  }

  /**
   * @param values of custom fields, by slug
   * @param attach uploads of the user of citizens
   * @returns the id of the task
   */
  async report(
    report: CitizenReport,
    values: Readonly<Record<string, unknown>>,
    attach: readonly AttachOrder[] = [],
  ): Promise<number> {
    const type = this.type(String(report.typeId));
    const words = report.description.replace(/\s+/g, ' ').trim() || report.address;
    const draft = {
      title: shortened(words === '' ? type.name : `${type.name}: ${words}`, Math.min(120, LONGEST_TITLE)),
      typeId: type.id,
      text: report.description,
      address: report.address,
      point: report.point,
      systemData: linesOfReport(report),
      customValues: this.#customValues(type.id, values),
    };
    return (await this.#tasks.create(this.#actor(), draft, attach)).id;
  }

  /** A report of the page, for a reader with its code. Refuses a wrong code as not found. */
  followed(id: number, code: string): FollowedReport {
    const actor = this.#actor();
    const task = this.#ownTask(actor, id);
    const kept = task && reportFrom(task.systemData)?.code;
    if (!task || !kept || !isSame(kept, code)) throw new Refusal('citizens.noReport', { id });
    // A duplicate continues as the task that it became part of.
    const root = this.#tasks.stored(rootOf(id, (one) => this.#tasks.stored(one))) ?? task;
    const step = root.status === DONE || root.archived ? 'done' : root.status === NEW ? 'received' : 'underWay';
    return { ...this.#requestOf(task)!, step, stepSince: step === 'received' ? task.date : root.statusSince };
  }

  /** Refuses what is no request of a citizen as not found. */
  get(id: number): CitizenRequest {
    const request = this.#find(this.#actor(), id);
    if (!request) throw new Refusal('citizens.noRequest', { id });
    return request;
  }

  /** The requests with these ids; others are left out. */
  async withIds(ids: readonly number[]): Promise<CitizenRequest[]> {
    // Looked up once: the search goes through all users, and anybody may ask for many ids.
    const actor = this.#actor();
    const found: CitizenRequest[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      if (at > 0) await nextTurn();
      found.push(...ids.slice(at, at + PAGE).flatMap((id) => this.#find(actor, id) ?? []));
    }
    return found;
  }

  /** Newest first. */
  async list({ typeIds, from, until, isOpen }: CitizenFilter): Promise<CitizenRequest[]> {
    const actor = this.#actor();
    const found: CitizenRequest[] = [];
    for (let page = 0, after = 0; page < PAGES && found.length < LONGEST_LIST; page++) {
      const query = { onlyMy: true, withArchive: true, from, until, after, limit: PAGE };
      const tasks = await this.#tasks.lists.page(actor, query);
      const requests = tasks.flatMap((task) => this.#publicRequestOf(task) ?? []);
      found.push(
        ...requests.filter(
          (one) => (!typeIds || typeIds.includes(one.report.typeId)) && (isOpen === undefined || one.isOpen === isOpen),
        ),
      );
      if (tasks.length < PAGE) break;
      await nextTurn();
      after = tasks.at(-1)!.id;
    }
    return found.slice(0, LONGEST_LIST);
  }

  /** Reports of the page are not for everybody. */
  #find(actor: Actor, id: number): CitizenRequest | undefined {
    const task = this.#ownTask(actor, id);
    return task && this.#publicRequestOf(task);
  }

  #ownTask(actor: Actor, id: number): Task | undefined {
    const task = this.#tasks.stored(id);
    const isOwn = task && !task.isDeleted && task.authorId === actor.user.id && this.#tasks.maySee(actor, task);
    return isOwn ? task : undefined;
  }

  #publicRequestOf(task: Task): CitizenRequest | undefined {
    return reportFrom(task.systemData)?.code ? undefined : this.#requestOf(task);
  }

  #requestOf(task: Task): CitizenRequest | undefined {
    const sent = reportFrom(task.systemData);
    if (!sent) return undefined;
    const { contact: _contact, code: _code, ...report } = sent;
    return {
      id: task.id,
      report,
      // The reported type: a later change would reveal the control room's assessment.
      typeName: this.#tasks.types.get(report.typeId)?.name ?? '',
      organization: this.#tasks.organizations.get(task.organizationId)?.name ?? '',
      isOpen: task.status !== DONE && !task.archived && !isMerged(task),
      requestedAt: task.date,
      updatedAt: task.updatedAt,
    };
  }

  #customValues(typeId: number, values: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> {
    const fields = this.fieldsOf(typeId);
    return Object.fromEntries(
      Object.entries(values).map(([slug, value]) => {
        const field = fields.find((one) => one.slug === slug);
        if (!field) throw new Refusal('citizens.noAttribute', { name: slug.slice(0, 100) });
        // The standard has times only; a field of a date takes the day that the citizen wrote.
        const isTime = field.format === 'date' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value);
        return [slug, { value: isTime ? value.slice(0, 10) : value }];
      }),
    );
  }

  #openType(id: number): TaskType | undefined {
    const type = this.#tasks.types.get(id);
    return type && !type.isDeleted ? type : undefined;
  }

  #actor(): Actor {
    const { user: login, typeIds } = this.#settings;
    const actor = login === null || typeIds.length === 0 ? undefined : this.#user(login);
    if (!actor) throw new Refusal('citizens.off');
    return actor;
  }

  #user(login: string): Actor | undefined {
    const user = [...this.#tasks.users.values()].find(
      (one) => !one.isDeleted && one.enabled && one.login.toLowerCase() === login.toLowerCase(),
    );
    const role = user && this.#tasks.roles.get(user.roleId);
    return user && role && !role.isDeleted ? { user, role } : undefined;
  }
}
