import { Refusal } from '../../../../shared/refusal.ts';
import { RecordsBuilder } from './rows-builder.ts';
import type { ReadRows, TableCell } from './table.ts';

interface Feature {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
}

/** Features (RFC 7946). A row is the place of a feature in the file, from 1. */
export function readGeoJson(text: string): ReadRows {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Refusal('imports.brokenFile', { problem: (error as Error).message.slice(0, 200) }, { cause: error });
  }
  const builder = new RecordsBuilder();
  featuresOf(document).forEach((feature, index) => {
    const { id, geometry, properties } = feature;
    const values = isObject(properties) ? Object.entries(properties) : [];
    const own: [string, TableCell][] = typeof id === 'string' || typeof id === 'number' ? [['id', id]] : [];
    const named = values.map(([head, value]): [string, TableCell] => [head.slice(0, 200), cellOf(value)]);
    const isGiven = named.some(([head]) => head === 'id');
    builder.add(index + 1, shapeOf(geometry), [...(isGiven ? [] : own), ...named]);
  });
  const found = builder.finish();
  if (found.rows.length === 0) throw new Refusal('imports.noRows');
  return { format: 'geojson', ...found };
}

function featuresOf(document: unknown): readonly Feature[] {
  if (!isObject(document)) throw new Refusal('imports.notGeoJson');
  if (document['type'] === 'FeatureCollection' && Array.isArray(document['features']))
    return document['features'].filter(isObject);
  if (document['type'] === 'Feature') return [document];
  if (Array.isArray(document['coordinates'])) return [{ geometry: document }];
  throw new Refusal('imports.notGeoJson');
}

function shapeOf(geometry: unknown): TableCell {
  if (!isObject(geometry) || typeof geometry['type'] !== 'string') return null;
  return geometry as { type: string };
}

function cellOf(value: unknown): TableCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number'))
    return value.join(', ');
  return JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
