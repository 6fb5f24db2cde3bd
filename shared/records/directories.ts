import { z } from 'zod';
import { collection, Flag, Id, IdOrNone, recordFields, Text, Word } from './record.ts';

/**
 * Small reference lists of area A. They share one collection, by `kind`, because the free edition of RxDB
 * opens 13 collections. Each kind counts its own ids and has its own type and facade.
 */
const entry = <K extends string>(kind: K) => ({ ...recordFields, kind: z.literal(kind), name: Word, isDeleted: Flag });

export const Category = z.object({
  ...entry('category'),
  /** File name of the icon. */
  icon: Text,
  importance: z.int(),
  /** The bytes of an uploaded icon. */
  picture: z.object({ sha256: z.string(), type: z.string() }).nullable().optional(),
});
export type Category = z.infer<typeof Category>;

export const TaskType = z.object({
  ...entry('type'),
  /** 0: none */
  groupId: IdOrNone,
  icon: Text,
  isDefault: Flag,
  /** Seconds to perform a task of this type; 0: no limit. */
  reviewSeconds: z.int().min(0),
  deadlineKind: z.int(),
  organizationIds: z.array(Id),
  /** The further icon files, by their names in the interface (`icon3d`, `map_icon`, …). */
  icons: z.record(z.string(), z.string()),
});
export type TaskType = z.infer<typeof TaskType>;

export const TypeGroup = z.object({ ...entry('typeGroup') });
export type TypeGroup = z.infer<typeof TypeGroup>;

export const StatusName = z.object({ ...entry('status'), visible: Flag });
export type StatusName = z.infer<typeof StatusName>;

export const CustomFieldFormat = z.enum(['int', 'float', 'bool', 'geometry', 'string', 'text', 'list', 'date']);
export type CustomFieldFormat = z.infer<typeof CustomFieldFormat>;
export const CustomField = z.object({
  ...entry('customField'),
  slug: Word,
  format: CustomFieldFormat,
  group: Word,
  possibleValues: z.array(z.string()).nullable(),
  regexp: z.string().nullable(),
  /** A hint for people how to fill it, in words. Missing or empty: an example of the pattern is shown. */
  hint: Text.optional(),
  minLength: z.int().nullable(),
  maxLength: z.int().nullable(),
  required: Flag,
  defaultValue: z.string().nullable(),
  visible: Flag,
  forAllTypes: Flag,
  typeIds: z.array(Id),
  order: z.int(),
});
export type CustomField = z.infer<typeof CustomField>;

/** A rule over a task's fields, used by access rules. */
export const StateRule = z.object({
  ...entry('stateRule'),
  field: Word,
  sign: z.enum(['=', '!=', '<', '>', '<=', '>=', 'in']),
  value: z.unknown(),
  /** Field of the current user to compare with; empty: compare with `value`. */
  userField: Word,
});
export type StateRule = z.infer<typeof StateRule>;

export type DirectoryRecord = Category | TaskType | TypeGroup | StatusName | CustomField | StateRule;
export const directories = collection({
  name: 'directories',
  version: 0,
  record: z.looseObject({ ...recordFields, kind: Word, name: Word, isDeleted: Flag }),
  parts: { organizationIds: 'set', typeIds: 'set', icons: 'map' },
  deletion: 'isDeleted',
  indexes: [['kind', 'id']],
});
