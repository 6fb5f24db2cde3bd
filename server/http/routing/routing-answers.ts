import { z } from 'zod';

const Pair = z.tuple([z.number(), z.number()]).meta({ description: '[lat, lon]' });
const Geometry = z
  .union([z.string(), z.array(Pair)])
  .meta({ description: 'Encoded polyline with six decimals, or pairs with `compression=false`.' });
const Summary = z.object({
  total_distance: z.int().meta({ description: 'metres' }),
  total_time: z.int().meta({ description: 'seconds' }),
  start_point: z.string(),
  end_point: z.string(),
});
const InstructionRow = z.array(z.union([z.string(), z.number()])).meta({
  description:
    'Code, name of the road after it, metres to the next row, index in the geometry, seconds to the next row, metres as text, compass name, bearing, mode (1 driving, 2 ferry, 3 movable bridge).',
});

export const RouteReply = z.object({
  status: z.int().meta({
    description: '0: found; 207: there is no way, or a point is not on this map: `status_message` says which.',
  }),
  status_message: z.string(),
  route_geometry: Geometry.optional(),
  route_instructions: z.array(InstructionRow).optional(),
  route_summary: Summary.optional(),
  route_name: z.tuple([z.string(), z.string()]).optional(),
  via_points: z.array(Pair).optional(),
  via_indices: z.array(z.int()).optional(),
  found_alternative: z.boolean().optional(),
  alternative_geometries: z.array(Geometry).optional(),
  alternative_instructions: z.array(z.array(InstructionRow)).optional(),
  alternative_summaries: z.array(Summary).optional(),
  alternative_names: z.array(z.tuple([z.string(), z.string()])).optional(),
  alternative_indices: z.array(z.int()).optional(),
  hint_data: z.object({ locations: z.array(z.string()), checksum: z.int() }).optional(),
  alternative_closures: z.array(z.array(z.int())).optional().meta({
    description:
      'Of each alternative, the same as `closures`: also those on whose closed road it begins, ends or stops.',
  }),
  notes: z
    .array(
      z.object({
        kind: z.literal('unreadable-limit'),
        tag: z.string(),
        name: z.string(),
        point: z.tuple([z.number(), z.number()]),
      }),
    )
    .optional()
    .meta({
      description:
        'Posted limits of size or weight on bridges, in tunnels and at gates that cannot be read and are therefore not passed; the route may have gone around them. Only where there are such.',
    }),
  closures: z.array(z.int()).optional().meta({
    description:
      'Ids of the closures that changed the route, and of those on whose closed road it begins, ends or stops, also where it would be no other without them.',
  }),
  learned_speeds: z.literal(true).optional().meta({
    description:
      'Driving times are those that the own vehicles took at this hour of the week, where enough was driven (`/speeds`).',
  }),
});

const Position = z.tuple([z.number(), z.number()]).meta({ description: '[lon, lat]' });

export const AreaFeature = z
  .object({
    type: z.literal('Feature'),
    properties: z.object({ minutes: z.number() }),
    geometry: z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(Position))) }),
  })
  .meta({ id: 'Isochrone' });
