import type { z } from 'zod';
import { COLLECTIONS } from '../../../shared/records/index.ts';
import type { CollectionShape } from '../../../shared/records/index.ts';
import type { CollectionName } from '../types.ts';

type MergedShape = CollectionShape<z.ZodObject>;

const NAMES = new Map(
  (Object.entries(COLLECTIONS) as unknown as [CollectionName, MergedShape][]).map(([name, shape]) => [
    shape.name,
    { name, shape },
  ]),
);

/** The shape of a collection by the name that RxDB knows; undefined for RxDB's own. */
export function shapeNamed(rxName: string): MergedShape | undefined {
  return NAMES.get(rxName)?.shape;
}

/** The key of `COLLECTIONS`, by the name that RxDB knows. */
export function collectionNamed(rxName: string): CollectionName | undefined {
  return NAMES.get(rxName)?.name;
}
