import { z } from 'zod';
import { administers } from '../../../shared/access.ts';
import type { Accounts, Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Telemetry } from '../../tracking/telemetry/index.ts';
import { pathId, queryInt } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const MAX_DAYS = 36_500;
const RetentionAnswer = z
  .object({ organizationId: z.int(), days: z.int().nullable(), since: z.int() })
  .meta({ id: 'Retention', description: '`days` null: forever. `since`: when it was set, epoch ms.' });
const Preview = z
  .object({
    organizationId: z.int(),
    days: z.int().nullable(),
    before: z.int().nullable(),
    points: z.int(),
    cars: z.array(z.object({ carId: z.int(), carName: z.string(), points: z.int(), oldest: z.int() })),
  })
  .meta({ id: 'RetentionPreview' });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Telemetry', access: 'admin' } as const;

/** How long this station keeps tracks, for each organization. */
export function retentionRoutes(telemetry: Telemetry, fleet: Fleet, accounts: Accounts): DeclaredRoute[] {
  const requireOwn = (caller: Caller, id: number) => {
    accounts.administration.requireOrganization(id);
    if (!administers(caller, id)) throw new Refusal('fleet.retentionByAdministrator');
    return id;
  };
  return [
    route({
      ...inB,
      method: 'GET',
      path: '/telemetry/retention',
      summary: 'How long tracks are kept',
      answer: z.array(RetentionAnswer),
      description: 'Of the organisations that the caller administers. It is a rule of this station alone.',
      run: ({ caller }) =>
        accounts.organizations
          .all()
          .filter(({ id, isDeleted }) => !isDeleted && administers(caller, id))
          .map(({ id }) => ({ ...telemetry.retention.rule(id) })),
    }),
    route({
      ...inB,
      method: 'PUT',
      path: '/telemetry/retention/:id',
      summary: 'Set how long the tracks of an organisation are kept',
      params,
      body: z.object({ days: z.int().min(1).max(MAX_DAYS).nullable() }),
      answer: RetentionAnswer,
      description:
        'null: forever. It holds an hour from now, in case it was a mistake; the rule that is set already goes on. Events, odometers and motor hours stay. Calls, entries of the log-book and ended shifts of the organisation go by the same rule, at linked stations too.',
      run: async ({ caller, params, body }) => ({
        ...(await telemetry.retention.set(requireOwn(caller, params.id), body.days)),
      }),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/telemetry/retention/:id/preview',
      summary: 'What a rule would delete now',
      params,
      query: z.object({ days: queryInt(1, MAX_DAYS).optional() }),
      answer: Preview,
      description: 'By `days`, or by the rule that is set. `before`: points of earlier times would go (epoch ms).',
      run: async ({ caller, params, query }) => {
        const organizationId = requireOwn(caller, params.id);
        const days = query.days ?? telemetry.retention.rule(organizationId).days;
        if (days === null) return { organizationId, days, before: null, points: 0, cars: [] };
        const vehicles = fleet.everyVehicleOf(organizationId);
        const expired = await telemetry.expired(
          vehicles.map(({ id }) => id),
          days,
        );
        const cars = vehicles.flatMap(({ id, name }) => {
          const found = expired.get(id);
          return found ? [{ carId: id, carName: name, ...found }] : [];
        });
        return {
          organizationId,
          days,
          before: telemetry.retention.deletesBefore(days),
          points: cars.reduce((sum, { points }) => sum + points, 0),
          cars,
        };
      },
    }),
  ];
}
