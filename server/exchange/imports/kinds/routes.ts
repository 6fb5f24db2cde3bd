import { versionAt } from '../../../../shared/fleet/versions.ts';
import type { PlannedRoute } from '../../../../shared/records/index.ts';
import type { Accounts } from '../../../access/accounts/index.ts';
import type { Fleet, RouteOrder } from '../../../dispatch/fleet/index.ts';
import type { ImportField } from '../fields.ts';
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

const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  NAME_FIELD,
  ORGANIZATION_FIELD,
  { ...SHAPE_FIELD, inRefusals: 'line' },
  {
    name: 'corridor',
    type: { kind: 'number', least: 1, most: 10_000 },
    heads: ['Corridor, m', 'Коридор, м', 'Corridor', 'Коридор'],
  },
  { name: 'from', type: { kind: 'instant' }, heads: ['From', 'С', 'Start', 'Начало'] },
  { name: 'until', inRefusals: 'till', type: { kind: 'instant' }, heads: ['Until', 'До', 'End', 'Конец'] },
  COLOR_FIELD,
  VIEW_FIELD,
  NOTES_FIELD,
];

/** Planned routes. Their control points are set in the console. */
export function routeTarget({ routes }: Pick<Fleet, 'routes'>, accounts: Accounts, now: () => number): ImportTarget {
  return directoryTarget<PlannedRoute, RouteOrder>({
    kind: 'routes',
    fields: FIELDS,
    keys: ['name'],
    unique: [],
    directory: routes,
    accounts,
    valuesOf(route) {
      const { name, line, corridor, from, until } = versionAt(route, now());
      const { organizationId, color, view, notes } = route;
      const geometry = { type: 'LineString', coordinates: line };
      return { name, organizationId, geometry, corridor, from, until, color, view, notes };
    },
    orderOf: ({ geometry, ...values }) => ({ ...values, ...(geometry !== undefined && { line: geometry }) }),
  });
}
