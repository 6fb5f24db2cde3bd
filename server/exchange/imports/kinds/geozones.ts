import { versionAt } from '../../../../shared/fleet/versions.ts';
import type { Geozone } from '../../../../shared/records/index.ts';
import type { Accounts } from '../../../access/accounts/index.ts';
import type { Fleet, GeozoneOrder } from '../../../dispatch/fleet/index.ts';
import type { ImportField, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import {
  COLOR_FIELD,
  ID_FIELD,
  NAME_FIELD,
  NOTES_FIELD,
  ORGANIZATION_FIELD,
  SHAPE_FIELD,
  VIEW_FIELD,
} from './common-fields.ts';
import { directoryTarget } from './directory-target.ts';

const GREATEST = 200_000;
const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  NAME_FIELD,
  ORGANIZATION_FIELD,
  SHAPE_FIELD,
  {
    name: 'radius',
    type: { kind: 'number', least: 1, most: GREATEST },
    heads: ['Radius, m', 'Радиус, м', 'Radius', 'Радиус'],
  },
  {
    name: 'width',
    type: { kind: 'number', least: 1, most: GREATEST },
    heads: ['Width, m', 'Ширина, м', 'Width', 'Ширина', 'Buffer'],
  },
  {
    name: 'speedLimit',
    type: { kind: 'number', least: 0, most: 300 },
    heads: ['Speed limit, km/h', 'Ограничение, км/ч', 'Speed limit', 'Ограничение скорости', 'maxspeed'],
  },
  { name: 'district', type: { kind: 'flag' }, heads: ['District', 'Район', 'Is a district'] },
  COLOR_FIELD,
  VIEW_FIELD,
  NOTES_FIELD,
];

/** Geozones: polygons, points with a radius, lines with a width. */
export function geozoneTarget(
  { geozones }: Pick<Fleet, 'geozones'>,
  accounts: Accounts,
  now: () => number,
): ImportTarget {
  return directoryTarget<Geozone, GeozoneOrder>({
    kind: 'geozones',
    fields: FIELDS,
    keys: ['name'],
    unique: [],
    directory: geozones,
    accounts,
    valuesOf: (zone) => valuesOf(zone, now()),
    orderOf: (values, stored) => geozoneOrderOf(values, stored),
  });
}

function valuesOf(zone: Geozone, now: number): RowValues {
  const { name, shape, speedLimit } = versionAt(zone, now);
  const { organizationId, color, view, district, notes } = zone;
  const own = { name, organizationId, speedLimit, color, view, district, notes };
  switch (shape.kind) {
    case 'circle':
      return { ...own, geometry: { type: 'Point', coordinates: shape.center }, radius: shape.radius };
    case 'corridor':
      return { ...own, geometry: { type: 'LineString', coordinates: shape.line }, width: shape.width };
    case 'polygon':
      return { ...own, geometry: { type: 'Polygon', coordinates: shape.rings } };
  }
}

/** A shape whose radius or width the file does not tell keeps the stored one, else gets a usual one. */
const DEFAULT_RADIUS = 100;
const DEFAULT_WIDTH = 50;

function geozoneOrderOf(values: RowValues, stored: RowValues): GeozoneOrder {
  const { geometry, radius, width } = values;
  const type = (geometry as { type?: string } | undefined)?.type;
  return {
    ...values,
    ...(type === 'Point' && radius === undefined && { radius: (stored['radius'] as number) ?? DEFAULT_RADIUS }),
    ...(type === 'LineString' && width === undefined && { width: (stored['width'] as number) ?? DEFAULT_WIDTH }),
  } as GeozoneOrder;
}
