import { definedFields } from '../../../../shared/defined-fields.ts';
import type { VehicleCapability, VehicleKind } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft, Store } from '../../../store/types.ts';
import { named, type DirectoryRules } from '../directory.ts';

type Order<T> = { [F in keyof T]?: T[F] | undefined };
export type KindOrder = Order<Pick<VehicleKind, 'name' | 'glyph' | 'service' | 'typeIds'>>;
export type CapabilityOrder = Order<Pick<VehicleCapability, 'name'>>;

/** Kinds belong to the whole station, because plans of every organization name them. */
export function kindRules(typeExists: (id: number) => boolean): DirectoryRules<VehicleKind, KindOrder> {
  const checked = <K extends Draft<VehicleKind>>(kind: K, before: readonly number[]): K => {
    for (const id of kind.typeIds)
      if (!before.includes(id) && !typeExists(id)) throw new Refusal('field.unknown', { field: 'typeIds', id });
    return { ...kind, typeIds: [...new Set(kind.typeIds)] };
  };
  return {
    what: 'kind of vehicles',
    owner: () => undefined,
    mayChange: (_, by) => by.role.superuser,
    create: (id, order) =>
      checked(
        {
          id,
          kind: 'vehicleKind',
          isDeleted: false,
          glyph: 'truck',
          service: 'other',
          typeIds: [],
          ...definedFields(order),
          name: named(order.name),
        },
        [],
      ),
    change: (kind, order) =>
      checked({ ...kind, ...definedFields(order), name: named(order.name, kind.name) }, kind.typeIds),
  };
}

export function capabilityRules(): DirectoryRules<VehicleCapability, CapabilityOrder> {
  return {
    what: 'capability',
    owner: () => undefined,
    mayChange: (_, by) => by.role.superuser,
    create: (id, { name }) => ({ id, kind: 'capability', isDeleted: false, name: named(name) }),
    change: (capability, { name }) => ({ ...capability, name: named(name, capability.name) }),
  };
}

const KINDS: readonly Pick<VehicleKind, 'name' | 'glyph' | 'service'>[] = [
  { name: 'Fire engine', glyph: 'flame', service: 'fire' },
  { name: 'Ladder', glyph: 'ladder', service: 'fire' },
  { name: 'Rescue truck', glyph: 'shield', service: 'fire' },
  { name: 'Water tanker', glyph: 'drop', service: 'fire' },
  { name: 'Ambulance', glyph: 'cross', service: 'medical' },
  { name: 'Patient transport', glyph: 'cross', service: 'medical' },
  { name: 'Road patrol', glyph: 'shield', service: 'road' },
  { name: 'Tow truck', glyph: 'hook', service: 'road' },
  { name: 'Gritter', glyph: 'snow', service: 'road' },
  { name: 'Repair van', glyph: 'wrench', service: 'municipal' },
  { name: 'Aerial lift', glyph: 'truck', service: 'municipal' },
  { name: 'Vacuum truck', glyph: 'drop', service: 'municipal' },
];

const CAPABILITIES = [
  'Defibrillator',
  'Stretcher',
  'Hydraulic rescue tools',
  'Breathing apparatus',
  'Dangerous goods (ADR)',
  'Four-wheel drive',
  'Winch',
  'Lighting mast',
];

/**
 * Kinds and capabilities for the first plan, on a station without any. Their ids are the same at every station, so
 * that linked ones have them once.
 */
export async function seedVehicleKinds(store: Store): Promise<void> {
  const kinds = store.kind<VehicleKind>('fleet', 'vehicleKind');
  const capabilities = store.kind<VehicleCapability>('fleet', 'capability');
  if (kinds.count() > 0 || capabilities.count() > 0) return;
  // The counters skip the fixed ids.
  for (const _ of KINDS) kinds.nextId();
  for (const _ of CAPABILITIES) capabilities.nextId();
  await store.transaction(async () => {
    await kinds.insertMany(
      KINDS.map((kind, index) => ({ id: index + 1, kind: 'vehicleKind', isDeleted: false, typeIds: [], ...kind })),
      'seed',
    );
    await capabilities.insertMany(
      CAPABILITIES.map((name, index) => ({ id: index + 1, kind: 'capability', isDeleted: false, name })),
      'seed',
    );
  });
}
