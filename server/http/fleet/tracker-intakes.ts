import type { Request } from 'express';
import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import type { DeviceCommands } from '../../tracking/devices/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import {
  readGpsLogger,
  readOwnTracks,
  readTraccar,
  readTraccarReport,
  senderAt,
  type ForwardedRecord,
  type Telemetry,
} from '../../tracking/telemetry/index.ts';
import { clientAddress } from '../app/client.ts';
import { textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { vehiclesOf } from './telemetry.ts';

const LONGEST_DEVICE = 100;
const text = textUpTo(1_000).optional();
const anyObject = z.looseObject({});
const Taken = z
  .object({ accepted: z.int(), duplicates: z.int(), quarantined: z.int() })
  .meta({ id: 'ForwardedIntake' });
const inB = {
  family: 'B',
  group: 'Telemetry',
  access: { scope: 'telemetry', others: 'admin' },
} as const;

/** Positions that other programs forward in their own formats. A vehicle has the id of the device as its IMEI. */
export function trackerIntakeRoutes(
  telemetry: Telemetry,
  fleet: Fleet,
  deviceCommands: Pick<DeviceCommands, 'reported'>,
): DeclaredRoute[] {
  const take = async (caller: Caller, request: Request, record: ForwardedRecord | undefined) => {
    if (!record) return { accepted: 0, duplicates: 0, quarantined: 0 };
    const sender = senderAt(clientAddress(request));
    const { quarantined, ...counts } = await telemetry.ingest([record], 'http', vehiclesOf(caller, fleet), sender);
    return { ...counts, quarantined: quarantined.length };
  };
  /** Commands to its vehicle go through Traccar from then on. */
  const takeReport = async (caller: Caller, body: unknown) => {
    const report = readTraccarReport(body);
    const vehicle = report && vehiclesOf(caller, fleet)({ imei: report.device });
    if (vehicle) await deviceCommands.reported(vehicle.id, report);
  };
  return [
    route({
      ...inB,
      method: 'POST',
      path: '/telemetry/traccar',
      summary: 'Positions and events of a Traccar server come in',
      description:
        'For its settings `forward.url` with `forward.type` json, and `event.forward.url`; `forward.header` is `Authorization: Bearer KEY`. Answered when it is stored. An event without a position is answered and not stored. `commandResult` and `queuedCommandSent` end or continue a command that Traccar was given.',
      body: anyObject,
      answer: Taken,
      run: async ({ caller, body, request }) => {
        const taken = await take(caller, request, readTraccar(body));
        await takeReport(caller, body);
        return taken;
      },
    }),
    route({
      ...inB,
      method: 'POST',
      path: '/telemetry/owntracks',
      summary: 'Locations of OwnTracks come in',
      description:
        'For the mode HTTP of the app, with the key as `?token=KEY`. The device is `d` of the query or the header `X-Limit-D`, else that of the topic. Other messages of the app are answered and not stored.',
      query: z.object({ d: text, u: text, token: text }),
      body: anyObject,
      answer: z.array(z.never()),
      run: async ({ caller, query, body, request }) => {
        const named = query.d ?? request.get('x-limit-d')?.slice(0, LONGEST_DEVICE);
        await take(caller, request, readOwnTracks(body, named));
        return [];
      },
    }),
    route({
      ...inB,
      method: 'POST',
      path: '/telemetry/gpslogger',
      summary: 'Positions of GPSLogger come in',
      description:
        'For the custom URL of the app, with the method POST and its parameters in the query: `?token=KEY&id=%AID&lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&spd=%SPD&dir=%DIR&alt=%ALT&sat=%SAT`.',
      query: z.object({
        ...{ id: text, ser: text, aid: text, lat: text, lon: text, time: text, timestamp: text, spd: text, dir: text },
        ...{ alt: text, sat: text, acc: text, batt: text, prov: text, act: text, token: text },
      }),
      answer: Taken,
      run: ({ caller, query, request }) => take(caller, request, readGpsLogger(query)),
    }),
  ];
}
