import { z } from 'zod';

/**
 * A vehicle profile: all differences between the roads of vehicles, as data. `classify-way.ts`, `judge-node.ts`
 * and `turns.ts` read it. Speeds are km/h before scaling, penalties seconds, sizes metres and tonnes. A
 * custom profile is a JSON file of this shape (`waypost import --profile FILE`).
 */
const kmh = z.number().min(0).max(300);
const speeds = z.record(z.string(), kmh);
const mode = z.number().int().min(1).max(255);
/** One value for both directions, or one for each, relative to the drawn way. */
const eachWay = <T extends z.ZodType>(value: T) =>
  z.union([value, z.strictObject({ forward: value, backward: value })]);

export const ProfileSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/)
      .describe('Name by which requests ask for it.'),
    description: z.string().default(''),
    speeds: z
      .record(z.string(), eachWay(kmh))
      .describe(
        'Speed by value of `highway`, or one for each direction (0: closed in it). What is not listed is open only with an allowing access tag.',
      ),
    otherSpeed: kmh.default(10).describe('Speed on unlisted highways that an access tag opens.'),
    otherHighways: z.boolean().default(true).describe('Whether an allowing access tag opens an unlisted highway.'),
    modes: z
      .record(z.string(), eachWay(mode))
      .default({})
      .describe('Travel mode by value of `highway`, or one for each direction; 1 where none is given.'),
    durations: z
      .strictObject({ mode: mode.optional() })
      .optional()
      .describe(
        'With this, `duration` counts on every way, not only on ferries, trains and movable bridges; such ways have `mode`.',
      ),
    drivesOn: z
      .enum(['local', 'right', 'left'])
      .default('local')
      .describe('Side of the road, for what turns cost. `local`: told by the roundabouts around.'),
    routes: z
      .record(z.string(), z.strictObject({ speed: kmh, mode }))
      .default({})
      .describe('Ferries and trains by value of `route`; they override `highway`.'),
    movableBridge: z.strictObject({ speed: kmh, mode }).optional().describe('`bridge=movable`.'),
    access: z
      .strictObject({
        keys: z
          .array(z.string())
          .describe('Access keys, the most specific first; the first that is not empty decides.'),
        denied: z.array(z.string()),
        allowed: z.array(z.string()).describe('Values that open an unlisted highway.'),
        overruled: z.array(z.string()).default([]).describe('Keys whose denial does not hold for this vehicle.'),
        directional: z
          .boolean()
          .default(false)
          .describe('Whether `KEY:forward` and `KEY:backward` close one direction.'),
      })
      .describe('Access of ways and nodes.'),
    closedWhen: z
      .record(z.string(), z.array(z.string()))
      .default({})
      .describe('Ways with one of these tags cannot be driven.'),
    oneway: z
      .strictObject({
        obeyed: z.boolean().default(true),
        keys: z.array(z.string()).default(['oneway']).describe('The most specific first.'),
        implied: z.array(z.string()).default([]).describe('Highways that are one-way unless `oneway=no`.'),
        roundabouts: z.boolean().default(true).describe('`junction=roundabout` is one-way, also with `oneway=no`.'),
      })
      .default({ obeyed: true, keys: ['oneway'], implied: [], roundabouts: true }),
    maxspeed: z
      .strictObject({
        obeyed: z.boolean().default(true),
        raises: z.boolean().default(true).describe('Whether a limit above the class speed is driven.'),
        raisesByDirection: z
          .boolean()
          .optional()
          .describe(
            'Whether a limit of one direction above the class speed is driven, where other limits raise nothing.',
          ),
        advisory: z.boolean().default(true).describe('`maxspeed:advisory` overrides the limit.'),
        vehicles: z
          .array(z.string())
          .default([])
          .describe('Kinds of vehicle that this one is, for `maxspeed:KIND`: these limits only lower.'),
        kinds: z.record(z.string(), kmh).default({}).describe('Limit by the word after `xx:`.'),
        exceptions: z.record(z.string(), kmh).default({}).describe('Limit by the whole value, lower case; 0: none.'),
      })
      .default({ obeyed: true, raises: true, advisory: true, vehicles: [], kinds: {}, exceptions: {} }),
    caps: z
      .record(z.string(), speeds)
      .default({})
      .describe('Greatest speed by key and value, e.g. surface; 0 closes the way; the lowest counts.'),
    drivenCaps: z
      .record(z.string(), speeds)
      .default({})
      .describe('Greatest driven speed by key and value, after scaling.'),
    narrow: z
      .strictObject({ width: z.number(), lanes: z.number(), factor: z.number().gt(0).max(1) })
      .optional()
      .describe('Ways this narrow are driven at `factor` of the unscaled speed.'),
    scale: z
      .strictObject({ factor: z.number().gt(0), offset: z.number() })
      .default({ factor: 1, offset: 0 })
      .describe('Driven speed = factor x speed + offset.'),
    barriers: z
      .strictObject({ obeyed: z.boolean().default(true), passable: z.array(z.string()) })
      .default({ obeyed: true, passable: [] })
      .describe('Values of `barrier` on a node that let it through; all others block.'),
    limits: z
      .strictObject({
        height: z.number().gt(0),
        width: z.number().gt(0),
        length: z.number().gt(0),
        weight: z.number().gt(0),
        axleload: z.number().gt(0),
      })
      .partial()
      .default({})
      .describe(
        'Size and weight of the vehicle: ways and nodes with a smaller `maxheight`, `maxwidth`, … are closed to it. A limit that cannot be read closes bridges, tunnels and gates.',
      ),
    signal: z.number().min(0).max(600).default(0).describe('Seconds lost each time a traffic signal is passed.'),
    turns: z
      .strictObject({
        uturn: z.number().min(0).max(600).default(0).describe('Seconds to turn back.'),
        right: z
          .number()
          .min(0)
          .default(0)
          .describe('Seconds of a right turn of 90 degrees; grows with the square of the angle.'),
        left: z.number().min(0).default(0),
        restrictions: z.boolean().default(true).describe('Whether turn restrictions are obeyed.'),
        restrictionKeys: z
          .array(z.string())
          .default([])
          .describe('Kinds of vehicle that this one is, for `restriction:KIND` and `except`.'),
      })
      .default({ uturn: 0, right: 0, left: 0, restrictions: true, restrictionKeys: [] }),
    notStartable: z
      .array(z.number().int())
      .default([2, 3])
      .describe('Modes on which no trip starts or ends: a point on the water goes to the road.'),
  })
  .describe('Vehicle profile');

export type Profile = z.infer<typeof ProfileSchema>;

/** A profile from its short form; throws a sentence that names the wrong field. */
export function defineProfile(value: z.input<typeof ProfileSchema>): Profile {
  const parsed = ProfileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`Vehicle profile: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}
