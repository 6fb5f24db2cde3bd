import { z } from 'zod';
import { seesOrganization } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { senderAt, TelemetryRecord, type FindVehicle, type Telemetry } from '../../tracking/telemetry/index.ts';
import { clientAddress } from '../app/client.ts';
import { bodyId, queryInt, queryLimit } from '../request/fields.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

/** Largest batch in bytes: one second of a large fleet, or one day of a stored track. */
const BODY_LIMIT = 16 * 1024 * 1024;
const LONGEST_BATCH = 50_000;

/**
 * For the documentation. Ingestion validates each record on its own, so a bad one does not block the others.
 */
const Records = z
  .union(
    [z.record(z.string(), z.unknown()), z.array(z.unknown()).max(LONGEST_BATCH)],
    fieldRule('field.type', { expected: 'a record or an array of records' }),
  )
  .meta({
    description: 'One record or an array of records.',
    examples: [
      [
        { glonassId: 12, time: 1_780_000_000_000, lat: 47.14, lon: 9.52, speed: 42, direction: 90 } satisfies z.input<
          typeof TelemetryRecord
        >,
      ],
    ],
  });

const Intake = z
  .object({
    accepted: z.int(),
    duplicates: z.int(),
    quarantined: z.array(z.object({ index: z.int(), reason: z.string() })),
  })
  .meta({ id: 'TelemetryIntake' });

const QuarantineEntry = z
  .object({ id: z.int(), time: z.int(), source: z.string(), device: z.string(), reason: z.string(), raw: z.string() })
  .meta({ id: 'QuarantineEntry' });

const inB = { family: 'B', group: 'Telemetry' } as const;

export function telemetryRoutes(telemetry: Telemetry, fleet: Fleet): DeclaredRoute[] {
  return [
    route({
      ...inB,
      access: { scope: 'telemetry', others: 'admin' },
      method: 'POST',
      path: '/telemetry',
      summary: 'Positions come in',
      body: Records,
      bodyLimit: BODY_LIMIT,
      answer: Intake,
      description:
        'Each record has `glonassId` or `imei`, `time` (epoch ms), `lat`, `lon`; and may have `speed` (km/h), `direction`, `height`, `gpsCount`, `glonassCount`, `inputs`, `adc`, `params`. Answered when all are stored. The same record twice is stored once. A record whose `time` is more than `telemetry.futureLimit` seconds (300) ahead of the station’s clock goes to the quarantine; one with an alarm is stored, and marked. The quarantine keeps `telemetry.quarantineLimit` entries (1,000) of a device from one address within an hour; what is over is not kept, and its reason says so.',
      run: async ({ caller, body, request }) => {
        const { quarantined, ...counts } = await telemetry.ingest(
          Array.isArray(body) ? body : [body],
          'http',
          vehiclesOf(caller, fleet),
          senderAt(clientAddress(request)),
        );
        return { ...counts, quarantined: quarantined.map(({ index, reason }) => ({ index, reason })) };
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'GET',
      path: '/telemetry/quarantine',
      summary: 'What could not be taken in',
      answer: z.array(QuarantineEntry),
      query: z.object({ limit: queryLimit(1000), before: queryInt(0, Number.MAX_SAFE_INTEGER).optional() }),
      description: 'Newest first; `before` is an entry’s id, after which the list goes on.',
      run: ({ caller, query }) => {
        requireSuperuser(caller);
        return telemetry
          .quarantined(query.limit ?? 100, query.before)
          .map((entry) => ({ ...entry, raw: Buffer.from(entry.raw).toString('base64') }));
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/telemetry/quarantine/replay',
      summary: 'Try again what lies in the quarantine',
      body: z.object({ ids: z.array(bodyId).max(10_000).optional() }),
      answer: z.object({ accepted: z.int(), duplicates: z.int(), remaining: z.int() }),
      description: 'All of it, or the entries `ids`.',
      run: ({ caller, body }) => {
        requireSuperuser(caller);
        return telemetry.replay(body.ids);
      },
    }),
  ];
}

/** Positions of vehicles that the owner of the access key may see. Others count as unknown devices. */
export function vehiclesOf(caller: Caller, fleet: Fleet): FindVehicle {
  return (device) => {
    const vehicle = fleet.withDevice(device);
    return vehicle && seesOrganization(caller, vehicle.organizationId) ? vehicle : undefined;
  };
}

/** Quarantine entries belong to no organization. */
function requireSuperuser(caller: Caller): void {
  if (!caller.role.superuser) throw new Refusal('fleet.quarantineSuperuserOnly');
}
