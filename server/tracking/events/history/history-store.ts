import { isDeepStrictEqual } from 'node:util';
import type {
  ClosurePast,
  Driver,
  Posting,
  ReviewPeriod,
  RoadClosure,
  TaskType,
  User,
  Vehicle,
  ZoneOwner,
  Geozone,
} from '../../../../shared/records/index.ts';
import { edited } from '../../../../shared/fleet/versions.ts';
import type { Change, Records, Store } from '../../../store/types.ts';

interface HistoryStoreOptions {
  readonly store: Store;
  now(): number;
  report(error: unknown): void;
}

type Note = Posting | ZoneOwner | ReviewPeriod | ClosurePast;
type VersionOf<N extends Note> = N['versions'][number];
export type PeriodVersion = VersionOf<ReviewPeriod>;
type Fact<N extends Note> = Omit<VersionOf<N>, 'validFrom'>;

/** The history of one kind of subject. */
class VersionLog<N extends Note> {
  readonly notes: Records<N>;
  readonly #kind: N['kind'];
  readonly #options: HistoryStoreOptions;

  constructor(kind: N['kind'], options: HistoryStoreOptions) {
    this.notes = options.store.kind<N>('fleet', kind);
    this.#kind = kind;
    this.#options = options;
  }

  /** Every version, oldest first; a value that never changed has one, from 0 on. */
  of(id: number, now: Fact<N>): readonly VersionOf<N>[] {
    return this.notes.get(id)?.versions ?? [{ validFrom: 0, ...now } as VersionOf<N>];
  }

  /** Notes a change in the transaction of the write that makes it. */
  note(id: number, before: Fact<N>, after: Fact<N>): void {
    // The station that a standby follows notes it.
    if (this.#options.store.readOnly !== undefined) return;
    const validFrom = this.#options.now();
    const first = { validFrom: 0, ...before } as VersionOf<N>;
    const versions = edited<VersionOf<N>>([first], { validFrom, ...after } as VersionOf<N>);
    if (versions.length === 1) return;
    const written = this.notes.get(id)
      ? this.notes.change(
          id,
          (note) =>
            ({
              ...note,
              versions: [...edited<VersionOf<N>>(note.versions, { validFrom, ...after } as VersionOf<N>)],
            }) as N,
        )
      : this.notes.insert({
          id,
          kind: this.#kind,
          name: this.#kind,
          isDeleted: false,
          versions: [...versions],
        } as unknown as Parameters<Records<N>['insert']>[0]);
    written.catch((error: unknown) => this.#options.report(error));
  }
}

/**
 * Keeps past values of things without versions, to compute past events: organizations and drivers of
 * vehicles, organizations of zones, periods of task types, closures. Each change is recorded in its own
 * transaction, so that a crash cannot separate them.
 */
export class HistoryStore {
  readonly postings: VersionLog<Posting>;
  readonly zoneOwners: VersionLog<ZoneOwner>;
  readonly reviewPeriods: VersionLog<ReviewPeriod>;
  readonly closures: VersionLog<ClosurePast>;
  readonly #options: HistoryStoreOptions;
  readonly #types: Records<TaskType>;
  readonly #users: Records<User>;
  readonly #drivers: Records<Driver>;
  readonly #stops: (() => void)[];
  /** Of vehicles that users drove. */
  readonly #periods = new Map<number, readonly PeriodOfUser[]>();
  /** Vehicles whose periods may have changed: a fleet is too large to look at all of it after each change. */
  #stale: Set<number> | 'all' = 'all';
  #services: ReadonlyMap<number, readonly DrivingPeriod[]> = new Map();
  #logins: ReadonlySet<string> | undefined;
  #forTasks: { readonly from: readonly unknown[]; readonly history: TaskHistory } | undefined;

  constructor(options: HistoryStoreOptions) {
    const { store } = options;
    this.#options = options;
    this.#types = store.kind<TaskType>('directories', 'type');
    this.#users = store.kind<User>('accounts', 'user');
    this.postings = new VersionLog('posting', options);
    this.zoneOwners = new VersionLog('zoneOwner', options);
    this.reviewPeriods = new VersionLog('reviewPeriod', options);
    this.closures = new VersionLog('closurePast', options);
    this.#drivers = store.kind<Driver>('fleet', 'driver');
    this.#stops = [
      store.records('vehicles').watch((changes) => {
        for (const { record } of changes) if (this.#isDriven(record)) this.#look(record.id);
      }),
      this.postings.notes.watch((changes) => {
        for (const { record } of changes) if (hadUsers(record) || this.#periods.has(record.id)) this.#look(record.id);
      }),
      this.#drivers.watch((changes) => this.#driversStored(changes)),
      this.#users.watch((changes) => {
        if (changes.every(({ record, before, deleted }) => !deleted && before?.login === record.login)) return;
        this.#stale = 'all';
        this.#logins = undefined;
      }),
      store.records('vehicles').beforeCommit((changes) => this.#vehiclesChanged(changes)),
      this.#drivers.beforeCommit((changes) => this.#driversChanged(changes)),
      this.#users.beforeCommit((changes) => this.#usersChanged(changes)),
      store
        .kind<Geozone>('fleet', 'geozone')
        .beforeCommit((changes) =>
          each(changes, (before, { id, organizationId }) =>
            this.zoneOwners.note(id, { organizationId: before.organizationId }, { organizationId }),
          ),
        ),
      this.#types.beforeCommit((changes) =>
        each(changes, (before, { id, reviewSeconds }) =>
          this.reviewPeriods.note(id, { seconds: before.reviewSeconds }, { seconds: reviewSeconds }),
        ),
      ),
      store
        .kind<RoadClosure>('fleet', 'closure')
        .beforeCommit((changes) =>
          each(changes, (before, after) => this.closures.note(after.id, closing(before), closing(after))),
        ),
    ];
    // Now, and not for the first change of a task: it looks at the whole fleet.
    this.#servicesByUser();
  }

  /** The organization of a vehicle, and the users who drove it. */
  postingsOf(vehicle: Vehicle): readonly VersionOf<Posting>[] {
    const now = this.#posting(vehicle);
    return this.postings.of(vehicle.id, now).map((version) => ({ ...version, keys: version.keys ?? now.keys }));
  }

  /** When a user drove which vehicles. */
  drivingPeriodsOf(userId: number): readonly DrivingPeriod[] {
    return this.#servicesByUser().get(userId) ?? [];
  }

  /** The context of task events: the same object until something in it changes. */
  forTasks(): TaskHistory {
    const services = this.#servicesByUser();
    const from = [services, this.#types.all(), this.reviewPeriods.notes.all()];
    if (!this.#forTasks?.from.every((part, i) => part === from[i])) {
      this.#forTasks = {
        from,
        history: { services: [...services], periods: this.#types.all().map(({ id }) => [id, this.periodsOf(id)]) },
      };
    }
    return this.#forTasks!.history;
  }

  /** The same map until something in it changes. */
  #servicesByUser(): ReadonlyMap<number, readonly DrivingPeriod[]> {
    const vehicles = this.#options.store.records('vehicles');
    let isChanged = this.#stale === 'all';
    if (this.#stale === 'all') this.#periods.clear();
    const stale = this.#stale === 'all' ? this.#driven() : this.#stale;
    this.#stale = new Set();
    const crew = this.#crewing();
    for (const id of stale) {
      const vehicle = vehicles.get(id);
      const periods = vehicle ? this.#periodsOf(vehicle, crew) : [];
      if (isDeepStrictEqual(periods, this.#periods.get(id) ?? [])) continue;
      isChanged = true;
      if (periods.length > 0) this.#periods.set(id, periods);
      else this.#periods.delete(id);
    }
    if (isChanged) this.#services = servicesOf([...this.#periods.values()].flat());
    return this.#services;
  }

  #look(vehicleId: number): void {
    if (this.#stale !== 'all') this.#stale.add(vehicleId);
  }

  /** Vehicles that users may drive or have driven. */
  #driven(): Set<number> {
    const driven = new Set(this.postings.notes.all().flatMap((note) => (hadUsers(note) ? note.id : [])));
    for (const vehicle of this.#options.store.records('vehicles').all())
      if (this.#isDriven(vehicle)) driven.add(vehicle.id);
    return driven;
  }

  #isDriven({ id, driverIds }: Vehicle): boolean {
    return this.#periods.has(id) || driverIds.some((driver) => this.#isLogin(loginOf(this.#drivers.get(driver))));
  }

  #isLogin(login: string | undefined): boolean {
    this.#logins ??= new Set(this.#users.all().map((user) => user.login.toLowerCase()));
    return login !== undefined && this.#logins.has(login);
  }

  #driversStored(changes: readonly Change<Driver>[]): void {
    const logins = changes.flatMap(({ record, before, deleted }) => {
      const [was, is] = [loginOf(before), deleted ? undefined : loginOf(record)];
      return was === is ? [] : [was, is];
    });
    if (logins.some((login) => this.#isLogin(login))) this.#stale = 'all';
  }

  /** Seconds to perform tasks of a type, with the times from which on; 0: no limit. */
  periodsOf(typeId: number): readonly VersionOf<ReviewPeriod>[] {
    return this.reviewPeriods.of(typeId, { seconds: this.#types.get(typeId)?.reviewSeconds ?? 0 });
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #vehiclesChanged(changes: readonly Change<Vehicle>[]): void {
    each(changes, (before, after) => {
      if (
        before.organizationId === after.organizationId &&
        before.isDeleted === after.isDeleted &&
        JSON.stringify(before.driverIds) === JSON.stringify(after.driverIds)
      )
        return;
      this.postings.note(after.id, this.#posting(before), this.#posting(after));
    });
  }

  #driversChanged(changes: readonly Change<Driver>[]): void {
    each(changes, (before, after) => {
      if (before.extId === after.extId && before.isDeleted === after.isDeleted && before.wire === after.wire) return;
      this.#noteCrews(({ driverIds }) => driverIds.includes(after.id), { driver: before }, { driver: after });
    });
  }

  #usersChanged(changes: readonly Change<User>[]): void {
    for (const { record, before } of changes) {
      if (before?.login === record.login) continue;
      const logins = [before?.login, record.login].map((login) => login?.toLowerCase());
      const drivers = new Set(
        this.#drivers
          .all()
          .filter((driver) => logins.includes(loginOf(driver)))
          .map(({ id }) => id),
      );
      if (drivers.size === 0) continue;
      this.#noteCrews(
        ({ driverIds }) => driverIds.some((id) => drivers.has(id)),
        { user: { id: record.id, login: before?.login ?? '' } },
        { user: record },
      );
    }
  }

  /** The drivers of some vehicles before and after one driver, or one user, changed. */
  #noteCrews(concerns: (vehicle: Vehicle) => boolean, before: Replacement, after: Replacement): void {
    const [wereCrews, areCrews] = [this.#crewing(before), this.#crewing(after)];
    for (const vehicle of this.#options.store.records('vehicles').all()) {
      if (!concerns(vehicle)) continue;
      this.postings.note(
        vehicle.id,
        this.#posting(vehicle, before, wereCrews),
        this.#posting(vehicle, after, areCrews),
      );
    }
  }

  #posting(
    vehicle: Vehicle,
    instead: Replacement = {},
    crewOf = this.#crewing(instead),
  ): { organizationId: number; userIds: number[]; keys: string[] } {
    return { organizationId: vehicle.organizationId, userIds: crewOf(vehicle), keys: this.#keysOf(vehicle, instead) };
  }

  /** The keys of a vehicle's drivers, except dismissed ones. */
  #keysOf({ driverIds, isDeleted }: Vehicle, { driver }: Replacement): string[] {
    const drivers = isDeleted ? [] : driverIds.map((id) => (id === driver?.id ? driver : this.#drivers.get(id)));
    return drivers.flatMap((one) => (one && !one.isDeleted && one.wire.trim() !== '' ? [one.wire.trim()] : [])).sort();
  }

  /** The users who drive a vehicle: their login is the external id of one of its drivers. */
  #crewing({ driver, user }: Replacement = {}): (vehicle: Vehicle) => number[] {
    let withLogin: Map<string, Pick<User, 'id' | 'login'>[]> | undefined;
    return ({ driverIds, isDeleted }) => {
      if (isDeleted) return [];
      const logins = new Set(
        driverIds.flatMap((id) => loginOf(id === driver?.id ? driver : this.#drivers.get(id)) ?? []),
      );
      if (logins.size === 0) return [];
      withLogin ??= Map.groupBy(
        this.#users.all().map((one) => (one.id === user?.id ? user : one)),
        ({ login }) => login.toLowerCase(),
      );
      return [...logins].flatMap((login) => withLogin!.get(login)?.map(({ id }) => id) ?? []).sort((a, b) => a - b);
    };
  }

  #periodsOf(vehicle: Vehicle, crewOf: (vehicle: Vehicle) => number[]): PeriodOfUser[] {
    const { id: vehicleId, organizationId } = vehicle;
    const versions = this.postings.of(vehicleId, { organizationId, userIds: crewOf(vehicle) });
    return versions.flatMap(({ validFrom, userIds }, i) =>
      userIds.map((userId) => ({
        userId,
        period: { vehicleId, validFrom, validUntil: versions[i + 1]?.validFrom ?? null },
      })),
    );
  }
}

/** A period in which a user drove a vehicle. */
export interface DrivingPeriod {
  readonly vehicleId: number;
  readonly validFrom: number;
  readonly validUntil: number | null;
}

interface PeriodOfUser {
  readonly userId: number;
  readonly period: DrivingPeriod;
}

function hadUsers({ versions }: Posting): boolean {
  return versions.some(({ userIds }) => userIds.length > 0);
}

/** By user, ordered by vehicles. */
function servicesOf(periods: readonly PeriodOfUser[]): ReadonlyMap<number, readonly DrivingPeriod[]> {
  const services = new Map<number, DrivingPeriod[]>();
  for (const { userId, period } of periods.toSorted((a, b) => a.period.vehicleId - b.period.vehicleId)) {
    const its = services.get(userId);
    if (its) its.push(period);
    else services.set(userId, [period]);
  }
  return services;
}

/** Drivers of each vehicle over time, and the period of each type. */
export interface TaskHistory {
  readonly services: readonly (readonly [userId: number, services: readonly DrivingPeriod[]])[];
  readonly periods: readonly (readonly [typeId: number, versions: readonly PeriodVersion[]])[];
}

/** The login of a driver, or undefined. */
function loginOf(driver: Driver | undefined): string | undefined {
  return driver && !driver.isDeleted && driver.extId.trim() !== '' ? driver.extId.trim().toLowerCase() : undefined;
}

/** Replaces the stored driver or user by another one. */
interface Replacement {
  readonly driver?: Driver;
  readonly user?: Pick<User, 'id' | 'login'>;
}

/** Changes of earlier values. */
function each<T>(changes: readonly Change<T>[], note: (before: T, after: T) => void): void {
  for (const { record, before, deleted } of changes) if (before && !deleted) note(before, record);
}

function closing({ geometry, from, until, factor }: RoadClosure): Fact<ClosurePast> {
  return { geometry, from, until, factor };
}
