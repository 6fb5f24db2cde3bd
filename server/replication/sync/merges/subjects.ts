import { administers, seesOrganization, type Actor } from '../../../../shared/access.ts';
import type { PartKind } from '../../../../shared/merge/parts.ts';
import { splitUnit, withPart } from '../../../../shared/merge/units.ts';
import {
  COLLECTIONS,
  type AlarmRecord,
  type Attachment,
  type AttachmentKind,
  type Comment,
  type MergeRecord,
  type Task,
  type Resolution,
  type Vehicle,
} from '../../../../shared/records/index.ts';
import { ASSIGNED, DONE } from '../../../../shared/tasks/status.ts';
import { activeUnit } from '../../../../shared/tasks/units.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { z } from 'zod';
import type { Accounts, Caller, UserChange } from '../../../access/accounts/index.ts';
import { replicatedAccount } from '../../../access/accounts/index.ts';
import {
  replicatedFleetEntry,
  replicatedVehicle,
  type Fleet,
  type VehicleOrder,
} from '../../../dispatch/fleet/index.ts';
import type { AnyStored, Records, Store } from '../../../store/index.ts';
import { mayRead, type Tasks, type UpdateOrder } from '../../../dispatch/tasks/index.ts';

/** The subject of a merge, through the rules of the record's room. */
interface MergeSubject {
  sees(caller: Caller): boolean;
  /** Refuses to those who may not edit the field. */
  demandEdit(caller: Caller): void;
  /** Writes one of the two values, as an ordinary edit. */
  write(caller: Caller, take: Exclude<Resolution, ''>): Promise<unknown>;
  /** Whether `write` may run inside a transaction; else its room lets changes wait for each other. */
  readonly inTransaction: boolean;
}

interface MergeSubjectsOptions {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'administration'>;
  readonly fleet: Pick<Fleet, 'change' | 'delete'>;
  readonly tasks: Tasks;
  maySeeAlarm(caller: Actor, alarm: AlarmRecord): boolean;
}

type PartKinds = Readonly<Record<string, PartKind>>;

export class MergeSubjects {
  readonly #options: MergeSubjectsOptions;

  constructor(options: MergeSubjectsOptions) {
    this.#options = options;
  }

  /** Undefined when the record is gone, or this program does not know it: nobody can look at it. */
  of(merge: MergeRecord): MergeSubject | undefined {
    switch (merge.recordCollection) {
      case 'tasks':
        return this.#task(merge);
      case 'comments':
        return this.#comment(merge);
      case 'attachments':
        return this.#attachment(merge);
      case 'vehicles':
        return this.#vehicle(merge);
      case 'accounts':
        return this.#account(merge);
      case 'directories':
        return this.#directory(merge);
      case 'fleet':
        return this.#fleetEntry(merge);
      case 'alarms':
        return this.#alarm(merge);
      default:
        return undefined;
    }
  }

  #task(merge: MergeRecord): MergeSubject | undefined {
    const { tasks } = this.#options;
    const task = tasks.stored(merge.recordId);
    if (!task) return undefined;
    const { field, part } = splitUnit(merge.field);
    return {
      sees: (caller) => tasks.maySee(caller, task),
      demandEdit: (caller) => tasks.requireMayChange(caller, task, field),
      write: async (caller, take) => {
        const value = merge[take].value;
        if (merge.rule === 'vehicle-twice') await this.#release(caller, merge, take);
        else if (merge.rule === 'closed-and-assigned')
          await tasks.update(caller, task.id, { status: take === 'lost' ? ASSIGNED : DONE });
        else if (field === 'isDeleted' || field === '') {
          if (task.isDeleted === value) return;
          await (value === true ? tasks.delete(caller, task.id) : tasks.restore(caller, task.id));
        } else await tasks.update(caller, task.id, this.#taskOrder(field, part, value));
      },
      inTransaction: true,
    };
  }

  /** `kept` leaves the vehicle with the task to which it was sent later. */
  async #release(caller: Caller, merge: MergeRecord, take: Exclude<Resolution, ''>): Promise<void> {
    const { tasks } = this.#options;
    const id = take === 'kept' ? merge.otherId : merge.recordId;
    const vehicleId = merge.kept.value as number;
    const task = tasks.stored(id);
    if (task && activeUnit(task, vehicleId)) await tasks.units.release(caller, id, [vehicleId]);
  }

  #taskOrder(field: string, part: string | undefined, value: unknown): UpdateOrder {
    if (part !== undefined) {
      const slug = this.#options.tasks.customFields.get(Number(part))?.slug;
      if (slug === undefined) throw new Refusal('tasks.customFieldPart', { name: part });
      return { customValues: { [slug]: { value } } };
    }
    if (field !== 'point') return { [field]: value };
    return { point: value as Task['point'], zoom: (value as Task['point'])?.zoom };
  }

  #comment(merge: MergeRecord): MergeSubject | undefined {
    const { tasks, store } = this.#options;
    const comment = store.records('comments').get(merge.recordId) as Comment | undefined;
    const task = comment && tasks.stored(merge.taskId);
    if (!task) return undefined;
    return {
      ...this.#direct(merge, store.records('comments') as never),
      sees: (caller) => tasks.maySee(caller, task) && mayRead(caller, comment, task),
      demandEdit(caller) {
        if (comment.authorId !== caller.user.id && !administers(caller, task.organizationId))
          throw new Refusal('tasks.ownCommentOnly');
      },
    };
  }

  #attachment(merge: MergeRecord): MergeSubject | undefined {
    const { tasks, store } = this.#options;
    const attachment = store.records('attachments').get(merge.recordId) as Attachment | undefined;
    const task = attachment && tasks.stored(merge.taskId);
    if (!task) return undefined;
    const kind = attachment.kind as z.infer<typeof AttachmentKind>;
    const direct = this.#direct(merge, store.records('attachments') as never);
    return {
      sees: (caller) => tasks.maySee(caller, task),
      demandEdit: (caller) => tasks.requireMayChange(caller, task, 'photos'),
      write: async (caller, take) => {
        const value = merge[take].value;
        if (merge.field !== 'removed' && merge.field !== '') await direct.write(caller, take);
        else if (attachment.removed !== value)
          await (value === true
            ? tasks.attachments.remove(caller, task.id, kind, attachment.id)
            : tasks.attachments.restore(caller, task.id, kind, attachment.id));
      },
      inTransaction: true,
    };
  }

  #vehicle(merge: MergeRecord): MergeSubject | undefined {
    const { fleet, store } = this.#options;
    const vehicle = store.records('vehicles').get(merge.recordId) as Vehicle | undefined;
    if (!vehicle) return undefined;
    const { field } = splitUnit(merge.field);
    const direct = this.#direct(merge, store.records('vehicles') as never);
    return {
      sees: (caller) => replicatedVehicle(caller, { ...vehicle, isDeleted: false }) !== undefined,
      demandEdit: (caller) => demandAdministers(caller, vehicle.organizationId),
      write: async (caller, take) => {
        const value = merge[take].value;
        if (field === 'isDeleted' && value === true) await fleet.delete(caller, vehicle.id);
        else if (ORDERED.has(field))
          await fleet.change(caller, vehicle.id, { [field]: this.#valueOf(merge, take, vehicle) } as VehicleOrder);
        else await direct.write(caller, take);
      },
      inTransaction: false,
    };
  }

  #account(merge: MergeRecord): MergeSubject | undefined {
    const { accounts, store } = this.#options;
    const administration = accounts.administration;
    const kind = merge.recordKey.split(':')[0]!;
    const account = store.kind('accounts', kind).get(merge.recordId) as
      (AnyStored & { kind: string; organizationId?: number; isDeleted: boolean }) | undefined;
    if (!account) return undefined;
    const owner = account.organizationId ?? account.id;
    const { field } = splitUnit(merge.field);
    const direct = this.#direct(merge, store.kind('accounts', kind) as never);
    return {
      sees: (caller) => administers(caller, owner) && replicatedAccount(caller, account) !== undefined,
      demandEdit: (caller) => demandAdministers(caller, owner),
      write: async (caller, take) => {
        const value = merge[take].value;
        const change = { [field]: this.#valueOf(merge, take, account) };
        if (field === 'isDeleted' && value === true) {
          if (kind === 'user') await administration.deleteUser(caller, account.id);
          else if (kind === 'role') await administration.deleteRole(caller, account.id);
          else await administration.deleteOrganization(caller, account.id);
        } else if (field === 'isDeleted' || field === 'passwordHash' || field === 'signIn') {
          // No room has a rule for these. None may give rights that the caller does not have.
          if (!caller.role.superuser) throw new Refusal('accounts.superuserOnly');
          await direct.write(caller, take);
        } else if (kind === 'user') await administration.changeUser(caller, account.id, change as UserChange);
        else if (kind === 'role') await administration.changeRole(caller, account.id, change);
        else await administration.changeOrganization(caller, account.id, change);
      },
      inTransaction: false,
    };
  }

  #directory(merge: MergeRecord): MergeSubject | undefined {
    const kind = merge.recordKey.split(':')[0]!;
    const records = this.#options.store.kind('directories', kind);
    if (!records.get(merge.recordId)) return undefined;
    return {
      ...this.#direct(merge, records as never),
      sees: () => true,
      demandEdit(caller) {
        if (!caller.role.admin) throw new Refusal('accounts.administratorOnly');
      },
    };
  }

  #fleetEntry(merge: MergeRecord): MergeSubject | undefined {
    const kind = merge.recordKey.split(':')[0]!;
    const records = this.#options.store.kind('fleet', kind);
    const entry = records.get(merge.recordId) as
      (AnyStored & { kind: string; organizationId?: number; vehicleId?: number }) | undefined;
    if (!entry) return undefined;
    const vehicle = entry.vehicleId === undefined ? undefined : this.#vehicleRecord(entry.vehicleId);
    const owner = entry.organizationId ?? vehicle?.organizationId ?? 0;
    return {
      ...this.#direct(merge, records as never),
      sees: (caller) =>
        vehicle ? seesOrganization(caller, owner) : replicatedFleetEntry(caller, entry as never) !== undefined,
      demandEdit(caller) {
        if (owner !== 0) demandAdministers(caller, owner);
        else if (!caller.role.admin) throw new Refusal('accounts.administratorOnly');
      },
    };
  }

  #alarm(merge: MergeRecord): MergeSubject | undefined {
    const { store, maySeeAlarm } = this.#options;
    const alarm = store.records('alarms').get(merge.recordId) as AlarmRecord | undefined;
    if (!alarm) return undefined;
    return {
      ...this.#direct(merge, store.records('alarms') as never),
      sees: (caller) => maySeeAlarm(caller, alarm),
      demandEdit: () => undefined,
    };
  }

  /** Writes the field itself, if no room has a rule for it. */
  #direct(merge: MergeRecord, records: Records<AnyStored>): Pick<MergeSubject, 'write' | 'inTransaction'> {
    return {
      write: (_caller, take) =>
        records.change(merge.recordId, (record) => ({
          ...record,
          [splitUnit(merge.field).field]: this.#valueOf(merge, take, record),
        })),
      inTransaction: true,
    };
  }

  /** The value of the whole field, with this part set to the chosen value. */
  #valueOf(merge: MergeRecord, take: Exclude<Resolution, ''>, record: object): unknown {
    const { field, part } = splitUnit(merge.field);
    const value = merge[take].value;
    if (part === undefined) return value;
    const { parts } = COLLECTIONS[merge.recordCollection as keyof typeof COLLECTIONS] as { parts?: PartKinds };
    return withPart((record as Record<string, unknown>)[field], parts![field]!, part, value);
  }

  #vehicleRecord(id: number): Vehicle | undefined {
    return this.#options.store.records('vehicles').get(id) as Vehicle | undefined;
  }
}

/** Fields of a vehicle that its rule checks against the rest of the fleet. */
const ORDERED: ReadonlySet<string> = new Set([
  'name',
  'glonassId',
  'plate',
  'organizationId',
  'groupId',
  'makeId',
  'modelId',
  'driverIds',
  'tagIds',
  'profile',
  'imei',
  'picture',
]);

function demandAdministers(actor: Actor, organizationId: number): void {
  if (!administers(actor, organizationId)) throw new Refusal('accounts.ownAdministratorOnly');
}
