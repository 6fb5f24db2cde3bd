import type { Actor } from '../../../shared/access.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { Driver, Make, Tag, VehicleGroup, VehicleModel } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { named, type DirectoryRules } from './directory.ts';

type Order<T> = { [F in keyof T]?: T[F] | undefined };

export type MakeOrder = Order<Pick<Make, 'name'>>;
export type ModelOrder = Order<
  Pick<VehicleModel, 'name' | 'makeId' | 'expenseOn100km' | 'maxTank' | 'engineHoursStop' | 'engineHoursMove'>
>;
export type GroupOrder = Order<Pick<VehicleGroup, 'name' | 'notes' | 'extGroup' | 'view' | 'organizationId'>>;
/** `organizationId` 0: a tag of the whole station. */
export type TagOrder = Order<Pick<Tag, 'name' | 'color' | 'organizationId'>>;
export type DriverOrder = Order<
  Pick<Driver, 'name' | 'phone' | 'notes' | 'photo' | 'organizationId' | 'wire' | 'extId'>
>;

/** Looks up records that are not deleted, and references to an entry. */
export interface Known {
  organization(id: number): boolean;
  make(id: number): boolean;
  modelsOf(makeId: number): boolean;
  /** The driver with this key, in any organization. */
  driverWithKey(wire: string): number | undefined;
}

const everybodys = (): undefined => undefined;

export function makeRules(known: Known): DirectoryRules<Make, MakeOrder> {
  return {
    what: 'mark',
    owner: everybodys,
    create: (id, { name }) => ({ id, kind: 'make', isDeleted: false, name: named(name) }),
    change: (make, { name }) => ({ ...make, name: named(name, make.name) }),
    requireFree: ({ id, name }) => {
      if (known.modelsOf(id)) throw new Refusal('fleet.modelsLeft', { name });
    },
  };
}

/** Each with the interface's name. */
const AMOUNTS = [
  ['expenseOn100km', 'expenseOn100km'],
  ['maxTank', 'maxTank'],
  ['engineHoursStop', 'motohoursStop'],
  ['engineHoursMove', 'motohoursMove'],
] as const;

/** Fuel in litres; coefficients of engine hours. */
export function modelRules(known: Known): DirectoryRules<VehicleModel, ModelOrder> {
  const checked = <M extends Omit<VehicleModel, 'hlc' | 'key'>>(model: M, before: number | undefined): M => {
    if (model.makeId !== before && !known.make(model.makeId))
      throw model.makeId === 0
        ? new Refusal('field.missing', { field: 'markId' })
        : new Refusal('field.unknown', { field: 'markId', id: model.makeId });
    for (const [field, named] of AMOUNTS)
      if ((model[field] ?? 0) < 0) throw new Refusal('field.negative', { field: named });
    return model;
  };
  return {
    what: 'model',
    owner: everybodys,
    create: (id, order) =>
      checked(
        {
          id,
          kind: 'model',
          isDeleted: false,
          makeId: 0,
          expenseOn100km: null,
          maxTank: null,
          engineHoursStop: null,
          engineHoursMove: null,
          ...definedFields(order),
          name: named(order.name),
        },
        undefined,
      ),
    change: (model, order) =>
      checked({ ...model, ...definedFields(order), name: named(order.name, model.name) }, model.makeId),
  };
}

export function groupRules(known: Known): DirectoryRules<VehicleGroup, GroupOrder> {
  return {
    what: 'group',
    owner: ({ organizationId }) => organizationId,
    create: (id, order, by) =>
      owned(known, by, order, {
        id,
        kind: 'group',
        isDeleted: false,
        notes: '',
        extGroup: '',
        view: true,
        organizationId: 0,
        ...definedFields(order),
        name: named(order.name),
      }),
    change: (group, order) =>
      movedToOrganization(known, group, { ...group, ...definedFields(order), name: named(order.name, group.name) }),
  };
}

/** A tag of the whole station affects every organization: only administrators of all of them edit it. */
export function tagRules(known: Pick<Known, 'organization'>): DirectoryRules<Tag, TagOrder> {
  return {
    what: 'tag',
    owner: ({ organizationId }) => organizationId || undefined,
    mayChange: ({ organizationId }, by) => !!organizationId || by.role.superuser,
    create: (id, { name, color, organizationId }, by) => {
      if (organizationId) requireOrganization(known, organizationId);
      const owner = organizationId ?? (by.role.superuser ? 0 : by.user.organizationId);
      return { id, kind: 'tag', isDeleted: false, color: color ?? '', name: named(name), organizationId: owner };
    },
    change: (tag, order) => {
      if (order.organizationId && order.organizationId !== tag.organizationId)
        requireOrganization(known, order.organizationId);
      return { ...tag, ...definedFields(order), name: named(order.name, tag.name) };
    },
  };
}

/** The driver's key (`wire`) must be unique: it opens one driver's shift. */
export function driverRules(known: Known): DirectoryRules<Driver, DriverOrder> {
  const checked = <D extends Omit<Driver, 'hlc' | 'key'>>(driver: D): D => {
    const wire = driver.wire.trim();
    const holder = wire === '' ? undefined : known.driverWithKey(wire);
    if (holder !== undefined && holder !== driver.id) throw new Refusal('fleet.otherDriver', { field: 'wire', wire });
    return { ...driver, wire };
  };
  return {
    what: 'driver',
    owner: ({ organizationId }) => organizationId,
    create: (id, order, by) =>
      checked(
        owned(known, by, order, {
          id,
          kind: 'driver',
          isDeleted: false,
          phone: '',
          notes: '',
          photo: null,
          organizationId: 0,
          wire: '',
          extId: '',
          ...definedFields(order),
          name: named(order.name, undefined, 'fio'),
        }),
      ),
    change: (driver, order) =>
      checked(
        movedToOrganization(known, driver, {
          ...driver,
          ...definedFields(order),
          name: named(order.name, driver.name, 'fio'),
        }),
      ),
  };
}

/** The named organization, else the actor's own. */
export function owned<T extends { organizationId: number }>(
  known: Pick<Known, 'organization'>,
  by: Actor,
  { organizationId }: { organizationId?: number | undefined },
  entry: T,
): T {
  if (organizationId !== undefined) requireOrganization(known, organizationId);
  return { ...entry, organizationId: organizationId ?? by.user.organizationId };
}

/** The stored value stays allowed, even if the organization was deleted since. */
export function movedToOrganization<T extends { organizationId: number }>(
  known: Pick<Known, 'organization'>,
  before: T,
  after: T,
): T {
  if (after.organizationId !== before.organizationId) requireOrganization(known, after.organizationId);
  return after;
}

function requireOrganization(known: Pick<Known, 'organization'>, id: number): void {
  if (!known.organization(id)) throw new Refusal('accounts.organizationGone', { id });
}
