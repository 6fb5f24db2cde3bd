import type { Category, TaskType } from '../../../shared/records/index.ts';
import type { Draft, Store } from '../../store/types.ts';

const CATEGORIES = [
  { name: 'Emergency', importance: 1 },
  { name: 'Urgent', importance: 2 },
  { name: 'Ordinary', importance: 3 },
  { name: 'Planned', importance: 4 },
];

const MINUTES = 60;
const TYPES = [
  { name: 'Incident', reviewSeconds: 20 * MINUTES },
  { name: 'Traffic accident', reviewSeconds: 15 * MINUTES },
  { name: 'Medical call', reviewSeconds: 15 * MINUTES },
  { name: 'Fire', reviewSeconds: 10 * MINUTES },
  { name: 'Water and sewerage', reviewSeconds: 120 * MINUTES },
  { name: 'Electricity', reviewSeconds: 120 * MINUTES },
  { name: 'Heating', reviewSeconds: 240 * MINUTES },
  { name: 'Roads', reviewSeconds: 480 * MINUTES },
  { name: 'Transport', reviewSeconds: 60 * MINUTES },
  { name: 'Request', reviewSeconds: 0 },
];

/**
 * Directories for the first task, on a station without types and categories. Administrators can change them.
 */
export async function seedTasks(store: Store): Promise<void> {
  const types = store.kind<TaskType>('directories', 'type');
  const categories = store.kind<Category>('directories', 'category');
  if (types.count() > 0 || categories.count() > 0) return;
  await store.transaction(async () => {
    await categories.insertMany(
      CATEGORIES.map((category): Draft<Category> => ({
        id: categories.nextId(),
        kind: 'category',
        icon: '',
        isDeleted: false,
        ...category,
      })),
    );
    await types.insertMany(
      TYPES.map((type, index): Draft<TaskType> => ({
        id: types.nextId(),
        kind: 'type',
        groupId: 0,
        icon: '',
        isDefault: index === 0,
        deadlineKind: 1,
        organizationIds: [],
        icons: {},
        isDeleted: false,
        ...type,
      })),
    );
  });
}
