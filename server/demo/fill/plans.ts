import { examplesFor } from '../../../shared/calls/example-protocols.ts';
import type { Category, ResponsePlan, TaskType } from '../../../shared/records/index.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Store } from '../../store/types.ts';
import { organizationOf } from './people.ts';
import { SERVICES } from './services.ts';

/** The kind and the capabilities of the vehicles with a call sign, by the names that a new station has. */
const EQUIPMENT: Readonly<Record<string, readonly [kind: string, ...capabilities: string[]]>> = {
  Medic: ['Ambulance', 'Defibrillator', 'Stretcher'],
  Engine: ['Fire engine', 'Breathing apparatus', 'Hydraulic rescue tools'],
  Ladder: ['Ladder'],
  Rescue: ['Rescue truck', 'Hydraulic rescue tools', 'Four-wheel drive', 'Winch'],
  Van: ['Repair van'],
  Lift: ['Aerial lift'],
  Vacuum: ['Vacuum truck'],
  Gritter: ['Gritter'],
  Patrol: ['Road patrol', 'Four-wheel drive'],
};

export function equipmentOf(fleet: Fleet, callSign: string): { kindId: number; capabilityIds: number[] } {
  const [kind, ...capabilities] = EQUIPMENT[callSign] ?? [''];
  return {
    kindId: kindNamed(fleet, kind),
    capabilityIds: fleet.capabilities
      .current()
      .filter(({ name }) => capabilities.includes(name))
      .map(({ id }) => id),
  };
}

const kindNamed = (fleet: Fleet, name: string): number =>
  fleet.kinds.current().find((kind) => kind.name === name)?.id ?? 0;

interface PlanSketch {
  readonly name: string;
  readonly types: readonly string[];
  readonly category?: string;
  /** How many of each kind. */
  readonly needs: Readonly<Record<string, number>>;
  readonly tell?: readonly string[];
}

const PLANS: readonly PlanSketch[] = [
  {
    name: 'Fire in a building',
    types: ['Fire'],
    category: 'Emergency',
    needs: { 'Fire engine': 2, 'Ladder': 1, 'Ambulance': 1 },
    tell: ['Municipal Works'],
  },
  { name: 'Small fire', types: ['Fire'], needs: { 'Fire engine': 1 } },
  {
    name: 'Accident with people hurt',
    types: ['Traffic accident'],
    category: 'Emergency',
    needs: { 'Ambulance': 1, 'Rescue truck': 1 },
    tell: ['Road Service'],
  },
  { name: 'Accident', types: ['Traffic accident'], needs: { 'Road patrol': 1 } },
  { name: 'Medical call', types: ['Medical call'], needs: { Ambulance: 1 } },
  { name: 'People in danger', types: ['Incident'], needs: { 'Rescue truck': 1 } },
  {
    name: 'Water',
    types: ['Water and sewerage'],
    category: 'Emergency',
    needs: { 'Repair van': 1, 'Vacuum truck': 1 },
  },
  { name: 'Houses', types: ['Water and sewerage', 'Electricity', 'Heating', 'Request'], needs: { 'Repair van': 1 } },
  { name: 'Roads', types: ['Roads', 'Transport'], needs: { 'Road patrol': 1 } },
];

/** Response plans and call protocols for the demo's calls; the kinds must be on disk. */
export async function fillPlans(store: Store, fleet: Fleet, accounts: Accounts): Promise<void> {
  const types = store.kind<TaskType>('directories', 'type').all();
  const categories = store.kind<Category>('directories', 'category').all();
  const idsOf = (entries: readonly { id: number; name: string }[], names: readonly string[]): number[] =>
    entries.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  for (const { name, types: ofTypes, category, needs, tell = [] } of PLANS) {
    await fleet.plans.create(accounts.stationActor(), {
      name,
      organizationId: 0,
      typeIds: idsOf(types, ofTypes),
      categoryIds: category === undefined ? [] : idsOf(categories, [category]),
      needs: Object.entries(needs).map(([kind, count]): ResponsePlan['needs'][number] => ({
        kindId: kindNamed(fleet, kind),
        count,
        capabilityIds: [],
        role: '',
      })),
      tellOrganizationIds: SERVICES.filter((service) => tell.includes(service.name)).map((service) =>
        organizationOf(accounts, service),
      ),
    });
  }
  for (const protocol of examplesFor(types, 'en')) await fleet.protocols.create(accounts.stationActor(), protocol);
}
