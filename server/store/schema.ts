import type { RxJsonSchema } from 'rxdb';
import { z } from 'zod';
import type { CollectionShape } from '../../shared/records/index.ts';

/** The schema that RxDB wants, from the one description that a collection has. */
export function rxSchemaOf<T extends z.ZodObject>(shape: CollectionShape<T>): RxJsonSchema<z.infer<T>> {
  const { properties, required } = z.toJSONSchema(shape.record, { io: 'input', unrepresentable: 'any' });
  return {
    title: shape.name,
    version: shape.version,
    type: 'object',
    primaryKey: 'key',
    properties,
    required,
    indexes: shape.indexes.map((index) => [...index]),
  } as unknown as RxJsonSchema<z.infer<T>>;
}
