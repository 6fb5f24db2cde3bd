import { once } from 'node:events';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { senderAt, TRACK_FORMATS, type Telemetry, type TrackFormat } from '../../tracking/telemetry/index.ts';
import { clientAddress } from '../app/client.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { pathId, queryInstant } from '../request/fields.ts';
import { readBodyBytes } from '../request/read-body-bytes.ts';

const LARGEST = 16 * 1024 * 1024;
const TYPES: Readonly<Record<TrackFormat, string>> = {
  gpx: 'application/gpx+xml',
  kml: 'application/vnd.google-earth.kml+xml',
  geojson: 'application/geo+json',
  csv: 'text/csv',
};
const Taken = z
  .object({ points: z.int(), accepted: z.int(), duplicates: z.int(), quarantined: z.int() })
  .meta({ id: 'TrackFileIntake' });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Vehicles' } as const;

/** Tracks of vehicles as files, out and in. */
export function trackFileRoutes(telemetry: Telemetry, fleet: Fleet): DeclaredRoute[] {
  return [
    ...TRACK_FORMATS.map((format) =>
      route({
        ...inB,
        access: 'user',
        method: 'GET',
        path: `/cars/:id/track/${format}`,
        summary: `Where a vehicle was, as ${format.toUpperCase()}`,
        description:
          'Points from `from` to `till` (epoch ms), both included. Points that are not believed stand in CSV alone, with their marks.',
        params,
        query: z.object({ from: queryInstant, till: queryInstant }),
        answer: { type: TYPES[format] },
        run: async ({ caller, params, query: { from, till }, response }) => {
          if (from > till) throw new Refusal('field.later', { field: 'from', other: 'till' });
          const { vehicle } = fleet.detail(caller, params.id);
          const file = telemetry.read({
            ...{ kind: 'file', vehicle: vehicle.id, from, until: till, format },
            name: vehicle.name,
          });
          // An error before the first piece is answered like any other.
          await once(file, 'readable');
          response.attachment(`track-${vehicle.id}.${format}`);
          response.type(TYPES[format]);
          return file;
        },
      }),
    ),
    route({
      ...inB,
      access: { scope: 'telemetry', others: 'admin' },
      method: 'POST',
      path: '/cars/:id/track',
      summary: 'Take in a track from a file',
      description:
        'GPX, KML with `gx:Track`, GeoJSON (points with `time`, or lines with `coordTimes`) or CSV with the heads `time`, `lat`, `lon`; the content tells which. At most 16 MB and 200,000 points. Answered when all are stored; a file that is sent twice adds nothing. Points without a time or a place are left out.',
      params,
      upload: { type: 'application/octet-stream' },
      cost: 25,
      answer: Taken,
      run: async ({ caller, params, request }) => {
        const { vehicle } = fleet.detail(caller, params.id);
        const bytes = await readBodyBytes(request, LARGEST);
        return telemetry.files.take(vehicle, bytes, senderAt(clientAddress(request)));
      },
    }),
  ];
}
