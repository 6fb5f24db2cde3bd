import type { Role } from '../../../../../shared/records/index.ts';
import type { CollectionName, Store } from '../../../../store/types.ts';
import type { Link } from '../../types.ts';

type PlainRecord = Readonly<Record<string, unknown>>;

/**
 * The organizations that both sides of a link allow, in order; undefined: all. Limits of either side act in both
 * directions.
 */
export function organizationsOf({
  settings,
  theirSettings,
}: Pick<Link, 'settings' | 'theirSettings'>): number[] | undefined {
  const [mine, theirs] = [settings, theirSettings].map(({ organizations }) =>
    organizations && organizations.length > 0 ? organizations : undefined,
  );
  const both = mine && theirs ? mine.filter((id) => theirs.includes(id)) : (mine ?? theirs);
  return both && [...new Set(both)].sort((a, b) => a - b);
}

/** Kinds of the fleet that belong to a vehicle or a zone: the field that names it. */
const OF_VEHICLE: Readonly<Record<string, string>> = { sensor: 'vehicleId', posting: 'id' };

/** Which records a link carries that is limited to organizations. */
export class Scope {
  readonly #store: Store;
  readonly #organizations: ReadonlySet<number>;
  /** Names the scope: a feed starts again in another one. */
  readonly name: string;

  constructor(store: Store, organizations: readonly number[]) {
    this.#store = store;
    this.#organizations = new Set(organizations);
    this.name = organizations.join(',');
  }

  /** Reference data of the station belong to nobody, and are carried. */
  carries(collection: CollectionName, record: PlainRecord): boolean {
    switch (collection) {
      case 'directories':
        return true;
      case 'accounts':
        return (
          record['kind'] === 'organization' ||
          (record['kind'] === 'preset' && record['organizationId'] === 0) ||
          (this.#has(record['organizationId']) && !this.isOfSuperuser(record))
        );
      case 'tasks':
        return this.#has(record['organizationId']) || this.#has(record['assignedOrganizationId']);
      case 'comments':
      case 'history':
      case 'attachments':
        return this.carriesTask(record['taskId']);
      case 'vehicles':
      case 'alarms':
        return this.#has(record['organizationId']);
      case 'events':
        return this.carriesVehicle(record['vehicleId']) || this.carriesTask(taskOf(record['subject']));
      case 'fleet':
        return this.#carriesFleet(record);
      case 'merges':
        return this.#carriesMerge(record);
      case 'vehicleStates':
        return this.carriesVehicle(record['id']);
    }
  }

  carriesVehicle(id: unknown): boolean {
    return this.#has(this.#store.records('vehicles').get(Number(id))?.organizationId);
  }

  carriesTask(id: unknown): boolean {
    const task = typeof id === 'number' && id > 0 ? this.#store.records('tasks').get(id) : undefined;
    return task !== undefined && this.carries('tasks', task);
  }

  /** Whether it is a role of superusers, or a user who has one: they act beyond every scope. */
  isOfSuperuser(account: PlainRecord): boolean {
    const roleId = account['kind'] === 'user' ? account['roleId'] : account['kind'] === 'role' ? account['id'] : 0;
    const role = this.#store.kind<Role>('accounts', 'role').get(Number(roleId));
    return account['superuser'] === true || role?.superuser === true;
  }

  #has(organizationId: unknown): boolean {
    return this.#organizations.has(organizationId as number);
  }

  #carriesFleet(record: PlainRecord): boolean {
    const kind = String(record['kind']);
    const vehicle = OF_VEHICLE[kind];
    if (vehicle !== undefined) return this.carriesVehicle(record[vehicle]);
    if (kind === 'zoneOwner') {
      const zone = this.#stored('fleet', String(record['key']).replace('zoneOwner:', 'geozone:'));
      return zone !== undefined && this.#carriesFleet(zone);
    }
    return !record['organizationId'] || this.#has(record['organizationId']);
  }

  #carriesMerge(merge: PlainRecord): boolean {
    if ((merge['taskId'] as number) > 0) return this.carriesTask(merge['taskId']);
    const collection = merge['recordCollection'] as CollectionName;
    const record = this.#stored(collection, String(merge['recordKey']));
    return record !== undefined && this.carries(collection, record);
  }

  #stored(collection: CollectionName, key: string): PlainRecord | undefined {
    const row = this.#store.sql
      .prepare(`SELECT data FROM ${this.#store.table(collection)} WHERE key = ? AND deleted = 0`)
      .get(key);
    return row && (JSON.parse(row['data'] as string) as PlainRecord);
  }
}

/** A reader starts again when the store or the scope changes. */
export function feedEpoch({ feed }: Pick<Store, 'feed'>, scope: Scope | undefined): string {
  return scope ? `${feed.epoch}/${scope.name}` : feed.epoch;
}

function taskOf(subject: unknown): number | undefined {
  const id = /^task:(\d+)$/.exec(String(subject))?.[1];
  return id === undefined ? undefined : Number(id);
}

/** Records whose scope follows that of a task or a vehicle: by collection the SQL that finds their rows. */
export const FOLLOWERS: Partial<Record<CollectionName, Partial<Record<CollectionName, string>>>> = {
  tasks: {
    comments: 'taskId = ?',
    history: 'taskId = ?',
    attachments: 'taskId = ?',
    merges: 'taskId = ?',
  },
  vehicles: {
    events: 'vehicleId = ?',
    fleet:
      "kind IN ('sensor', 'posting') AND (key = printf('posting:%010d', ?1) OR json_extract(data, '$.vehicleId') = ?1)",
  },
};
