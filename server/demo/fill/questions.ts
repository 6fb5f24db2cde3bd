import type { CustomFieldFormat, TaskType } from '../../../shared/records/index.ts';
import type { CustomFieldDefinitions, CustomFieldOrder } from '../../dispatch/tasks/index.ts';
import type { Chance } from '../chance.ts';
import type { PlannedCall } from './calls.ts';

/**
 * A custom field of the demo's control room, the task types that use it (none: all), and the callers'
 * answers.
 */
interface QuestionDraft {
  readonly field: CustomFieldOrder & { readonly name: string; readonly format: CustomFieldFormat };
  readonly types: readonly string[];
  answer(call: PlannedCall, chance: Chance): unknown;
}

const BURNING = ['Flat or house', 'Vehicle', 'Rubbish', 'Outbuilding', 'Vegetation'];

const QUESTIONS: readonly QuestionDraft[] = [
  {
    field: {
      name: 'Caller’s number',
      format: 'string',
      group: 'Caller',
      regexp: '^\\+?[0-9 ()-]{5,20}$',
      hint: 'With the country code',
    },
    types: [],
    // Numbers without owners: the first digits are reserved for fiction.
    answer: (_, chance) => `+44 1632 960${String(chance.whole(1000)).padStart(3, '0')}`,
  },
  {
    field: { name: 'Caller waits at the place', format: 'bool', group: 'Caller', defaultValue: 'f' },
    types: [],
    answer: (_, chance) => chance.happens(0.4),
  },
  {
    field: { name: 'People affected', format: 'int', group: 'At the place' },
    types: ['Medical call', 'Fire', 'Traffic accident'],
    answer: (_, chance) => 1 + chance.whole(4),
  },
  {
    field: { name: 'What burns', format: 'list', group: 'At the place', possibleValues: BURNING },
    types: ['Fire'],
    answer: (_, chance) => chance.pick(BURNING),
  },
  {
    field: { name: 'Water depth, m', format: 'float', group: 'At the place' },
    types: ['Water and sewerage'],
    answer: (_, chance) => Math.round(chance.between(1, 9)) / 10,
  },
  {
    field: { name: 'Extent', format: 'geometry', group: 'At the place' },
    types: ['Water and sewerage', 'Roads'],
    answer: ({ address }) => patchAround(address.lon, address.lat),
  },
  {
    field: { name: 'To be mended by', format: 'date', group: 'Works' },
    types: ['Roads', 'Electricity', 'Heating'],
    answer: ({ steps }, chance) =>
      new Date(steps[0]!.at + (2 + chance.whole(12)) * 86_400_000).toISOString().slice(0, 10),
  },
];

export async function fillQuestions(definitions: CustomFieldDefinitions, types: readonly TaskType[]): Promise<void> {
  for (const { field, types: names } of QUESTIONS) {
    await definitions.create({
      ...field,
      forAllTypes: names.length === 0,
      typeIds: types.filter(({ name }) => names.includes(name)).map(({ id }) => id),
    });
  }
}

/** The caller's answers as values of a new task; some are missing. */
export function answersTo(
  call: PlannedCall,
  definitions: CustomFieldDefinitions,
  chance: Chance,
): Record<string, unknown> {
  const fieldOf = new Map(definitions.all().map((field) => [field.name, field]));
  const asked = QUESTIONS.filter(({ types }) => types.length === 0 || types.includes(call.call.type));
  return Object.fromEntries(
    asked
      .filter(() => chance.happens(0.75))
      .map(({ field, answer }) => {
        const { id, slug } = fieldOf.get(field.name)!;
        return [slug, { field_id: id, value: answer(call, chance) }];
      }),
  );
}

/** Some forty by thirty metres. */
function patchAround(lon: number, lat: number): object {
  const [east, north] = [0.0003, 0.00013];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [lon - east, lat - north],
        [lon + east, lat - north * 0.6],
        [lon + east * 0.8, lat + north],
        [lon - east * 0.9, lat + north * 0.8],
        [lon - east, lat - north],
      ],
    ],
  };
}
