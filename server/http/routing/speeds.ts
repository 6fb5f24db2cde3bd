import { z } from 'zod';
import type { SpeedsStatus } from '../../../shared/roads/speeds-status.ts';
import { HOURS, HOUR_LEVELS, type Speeds } from '../../geo/speeds/index.ts';
import { queryBounds, queryInt, queryLimit } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const hourOfWeek = z
  .int()
  .min(0)
  .max(HOURS - 1)
  .meta({ description: 'Hour of the week by the clock of the station: 0 is Monday from midnight to one.' });
const instant = z.int().nullable();

const StatusAnswer = z
  .object({
    on: z.boolean().meta({ description: 'Routes, tables and recommendations go by learned speeds.' }),
    switchedBy: z.int().nullable(),
    switchedAt: instant,
    zone: z.string(),
    hour: hourOfWeek,
    roads: z.int().meta({ description: 'Roads, each direction for itself, of which something was learned.' }),
    roadsInUse: z.int().meta({ description: 'Those of which the router goes by what was learned now.' }),
    passages: z.int().meta({ description: 'Times that a vehicle drove over a road from end to end.' }),
    from: instant.meta({ description: 'Of the oldest passage, epoch ms.' }),
    till: instant.meta({ description: 'Of the newest.' }),
    waiting: z.int().meta({ description: 'Vehicles whose tracks are being looked through, or about to be.' }),
    enough: z
      .object({ passages: z.int(), days: z.int() })
      .meta({ description: 'So many passages on so many days are enough.' }),
  })
  .meta({ id: 'Speeds' });

const CoverageAnswer = z
  .object({
    zone: z.string(),
    metres: z.number().meta({ description: 'Of the roads that cars drive, each direction for itself.' }),
    knownShare: z.number().meta({ description: 'Share of these metres of which anything was learned, 0 to 1.' }),
    hours: z.array(z.object({ hour: hourOfWeek, share: z.number(), passages: z.int() })).meta({
      description:
        'Share of the metres with enough passages in this very hour of the week, and how many passages count there.',
    }),
  })
  .meta({ id: 'SpeedsCoverage' });

const RoadsAnswer = z
  .object({
    type: z.literal('FeatureCollection'),
    hour: hourOfWeek,
    complete: z.boolean().meta({ description: 'False: there are more; these are the ones driven most.' }),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        id: z.int(),
        properties: z.object({
          name: z.string(),
          speed: z.number().meta({ description: 'As learned, km/h.' }),
          usualSpeed: z.number().meta({ description: 'By the profile, km/h.' }),
          passages: z.int(),
          level: z.enum(HOUR_LEVELS).meta({
            description:
              'What it is known by: this hour of the week; this hour on working days or at the weekend; this part of these days; any time.',
          }),
        }),
        geometry: z.object({ type: z.literal('LineString'), coordinates: z.array(z.array(z.number())) }),
      }),
    ),
  })
  .meta({ id: 'SpeedsRoads' });

const EffectAnswer = z
  .object({
    since: z.int().meta({ description: 'Drives from then on, epoch ms.' }),
    drives: z.int(),
    judged: z.int().meta({
      description: 'Those of which at least half went over roads on which something had been learned before.',
    }),
    metres: z.number(),
    meanTime: z.number().meta({ description: 'What the judged drives took, seconds on the average.' }),
    usualError: z
      .number()
      .meta({ description: 'How far the estimate by the profile was from that, seconds on the average.' }),
    learnedError: z
      .number()
      .meta({ description: 'The same of the estimate by what had been learned before the drive.' }),
  })
  .meta({ id: 'SpeedsEffect' });

const MAX_ROADS = 5_000;
const DEFAULT_LIMIT = 2_000;
const common = { family: 'station', access: 'user', group: 'Speeds' } as const;

/** Speeds learned from the tracks of the fleet. */
export function speedRoutes(speeds: Speeds): DeclaredRoute[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/speeds',
      summary: 'Speeds learned from tracks: whether they are used, and what there is',
      answer: StatusAnswer,
      run: async () => present(await speeds.status()),
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/speeds',
      summary: 'Use learned speeds, or not',
      body: z.object({ on: z.boolean() }),
      answer: StatusAnswer,
      description:
        'The next routing answer obeys. Takes the right to edit. It is a switch of this station alone; learning goes on in any case.',
      run: async ({ caller, body }) => present(await speeds.setEnabled(caller, body.on)),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/speeds/coverage',
      summary: 'Of how many roads speeds are known, by hour of the week',
      answer: CoverageAnswer,
      run: async () => {
        const { metres, knownMetres, hours } = await speeds.coverage();
        const share = (of: number) => (metres === 0 ? 0 : of / metres);
        return {
          zone: speeds.zone,
          metres,
          knownShare: share(knownMetres),
          hours: hours.map(({ metres: of, passages }, hour) => ({ hour, share: share(of), passages })),
        };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/speeds/roads',
      summary: 'Roads with learned speeds, for a map',
      answer: RoadsAnswer,
      description: 'GeoJSON lines in the direction of driving. Without `hour`: now.',
      query: z.object({ bounds: queryBounds, hour: queryInt(0, HOURS - 1).optional(), limit: queryLimit(MAX_ROADS) }),
      run: async ({ query }) =>
        ({
          type: 'FeatureCollection',
          ...(await speeds.roads(query.bounds, query.hour, query.limit ?? DEFAULT_LIMIT)),
        }) as z.input<typeof RoadsAnswer>,
    }),
    route({
      ...common,
      method: 'GET',
      path: '/speeds/effect',
      summary: 'How good estimates of driving times were, with and without learned speeds',
      answer: EffectAnswer,
      description: 'Of the drives of the last 30 days. Each was estimated before anything was learned from it.',
      run: async () => {
        const { meanTook, ...effect } = await speeds.effect();
        return { ...effect, meanTime: meanTook };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/speeds/rebuild',
      summary: 'Forget what was learned and learn again from the tracks that are kept',
      answer: StatusAnswer,
      description: 'Takes the right to edit. What was learned from tracks that are no longer kept is lost.',
      run: async ({ caller }) => present(await speeds.rebuild(caller)),
    }),
  ];
}

function present(status: SpeedsStatus): z.input<typeof StatusAnswer> {
  return { ...status, enough: { ...status.enough } };
}
