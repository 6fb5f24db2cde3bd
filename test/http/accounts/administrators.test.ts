import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Everything that only administrators may do. A path that is to be another one's is written here first. */
const ADMINISTRATORS = `
  POST /capabilities
  PUT DELETE /capabilities/{id}
  POST /premise-notes
  PUT DELETE /premise-notes/{id}
  POST /response-plans
  POST /call-protocols
  PUT DELETE /call-protocols/{id}
  PUT DELETE /response-plans/{id}
  POST /vehicle-kinds
  PUT DELETE /vehicle-kinds/{id}
  GET POST /auth/keys
  GET POST /backups
  POST /backups/copies
  GET POST /reports/schedules
  PUT DELETE /reports/schedules/{id}
  POST /reports/schedules/{id}/send
  POST /backups/{id}/restore
  DELETE /auth/keys/{id}
  GET POST /users
  GET /users/count
  POST /users/sign-out
  PUT DELETE /users/{id}
  POST /organizations
  PUT DELETE /organizations/{id}
  GET POST /rights
  GET PUT DELETE /rights/{id}
  POST /category
  PUT DELETE /category/{id}
  POST /newstype
  POST /newstype/group
  PUT DELETE /newstype/group/{id}
  PUT DELETE /newstype/{id}
  PUT /status/{id}
  POST /custom_field
  POST /custom_field/sort
  PUT DELETE /custom_field/{id}
  POST /custom_field/{id}/restore
  POST /news/states
  PUT DELETE /news/states/{id}
  POST /news/allowed/try
  GET /users.xlsx
  POST /cars/models
  PUT DELETE /cars/models/{id}
  POST /cars/marks
  PUT DELETE /cars/marks/{id}
  POST /cars/groups
  PUT DELETE /cars/groups/{id}
  POST /cars/tags
  PUT DELETE /cars/tags/{id}
  POST /cars/customfields
  PUT DELETE /cars/customfields/{id}
  POST /cars
  PUT DELETE /cars/{id}
  PUT DELETE /cars/{id}/pic
  POST /drivers
  PUT DELETE /drivers/{id}
  PUT DELETE /drivers/{id}/photo
  GET POST /dictionary/icons
  GET /dictionary/icons/editable
  PUT DELETE /dictionary/icons/{id}
  POST /geozones
  PUT DELETE /geozones/{id}
  POST /routes
  PUT DELETE /routes/{id}
  POST /sensors
  PUT DELETE /sensors/{id}
  POST /telemetry
  POST /telemetry/traccar
  POST /telemetry/owntracks
  POST /telemetry/gpslogger
  POST /cars/{id}/track
  GET /telemetry/quarantine
  POST /telemetry/quarantine/replay
  GET /telemetry/retention
  PUT /telemetry/retention/{id}
  GET /telemetry/retention/{id}/preview
  PUT /shifts/settings
  PUT /dispatch/settings
  PUT /events/settings
  PUT /events/settings/cars/{id}
  POST GET /events/replay
  PUT /alarms/rules
  POST /speeds/rebuild
  POST /territory
  POST /territory/previous
  DELETE /territory/import
  POST /raster-layers
  PUT /raster-layers/{id}
  DELETE /raster-layers/{id}
  GET /notify/mail
  POST /notify/mail/{id}/retry
  GET /notify/post
  GET /notify/post/{id}/pdf
  POST /notify/post/{id}/printed
  GET POST /links
  POST /links/codes
  GET /links/nearby
  PUT DELETE /links/{id}
  GET /standby
  POST /standby/promotion
  GET /territory/stations
  GET /imports
  GET /imports/{id}
  POST /imports/{id}/undo
  POST /imports/previews
  GET PUT DELETE /imports/previews/{id}
  GET /imports/previews/{id}/rows
  POST /imports/previews/{id}/confirm
  GET PUT /mailbox/settings
  POST /mailbox/preview
  GET /mailbox/mails
  GET PUT /telephony/settings
  POST /telephony/test
  GET PUT /sms/settings
  POST /sms/key
  POST /sms/test
  GET POST /webhooks
  GET PUT DELETE /webhooks/{id}
  POST /webhooks/{id}/secret
  GET /warning-feeds
  POST /warning-feeds
  POST /warning-feeds/preview
  PUT /warning-feeds/{id}
  DELETE /warning-feeds/{id}
  POST /warning-feeds/{id}/look
  POST /webhooks/{id}/test
  GET /webhooks/{id}/deliveries
  POST /webhooks/{id}/deliveries/{deliveryId}/send
  GET /audit
  GET /audit/export
  GET /audit/verify
  GET /log/app
  GET /log/app/count
  GET /log/app/loggers
  GET /log/app/loggers/count
  GET /log/app/threads
  GET /log/app/threads/count
  GET /log/app/levels
  GET /log/app/levels/count
`;
/**
 * Answered without a token; `/metrics` and `/first-run` because the question comes from this machine, and what
 * stations ask each other because they prove themselves by a code or a key.
 */
const ANYBODY = `
  GET /citizens/form
  GET /citizens/place
  GET /citizens/places
  GET /citizens/reports/{id}
  GET /citizens/tiles/{z}/{x}/{y}.mvt
  POST /citizens/photos
  POST /citizens/reports
  GET /.well-known/acme-challenge/{token}
  GET /auth/methods
  GET /auth/oidc
  GET /auth/oidc/callback
  POST /auth/oidc/hand-over
  GET /health
  GET /ready
  GET /metrics
  POST /auth/login
  POST /auth/passkey
  POST /auth/passkey/challenge
  GET POST /first-run
  POST /crew/sign-in
  POST /first-run/backups
  POST /first-run/restore
  GET /locate
  GET /open311/v2/discovery.json
  GET /open311/v2/discovery.xml
  GET POST /open311/v2/requests.json
  GET POST /open311/v2/requests.xml
  GET /open311/v2/requests/{id}.json
  GET /open311/v2/requests/{id}.xml
  GET /open311/v2/services.json
  GET /open311/v2/services.xml
  GET /open311/v2/services/{code}.json
  GET /open311/v2/services/{code}.xml
  GET /nearest
  GET /viaroute
  GET /table
  GET /isochrone
  GET /match/v1/{profile}/{coordinates}
  GET /nearest/v1/{profile}/{coordinates}
  GET /route/v1/{profile}/{coordinates}
  GET /table/v1/{profile}/{coordinates}
  GET /trip/v1/{profile}/{coordinates}
  GET /openapi.json
  GET /asyncapi.json
  GET /docs
  POST /links/challenges
  POST /links/pairings
  POST /links/pairings/proof
`;

let station: TryStation;
let dispatcher: string;
/** Method and path of everything in the interface's description. */
let paths: string[];

beforeAll(async () => {
  station = await tryStation();
  dispatcher = (await station.newUser('dora', 'Dispatcher')).token;
  const { paths: described } = await station.ok('GET', '/openapi.json');
  paths = Object.entries(described as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
});
afterAll(() => station.stop());

const listed = (text: string) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.trim().split(' ');
      return words.slice(0, -1).map((method) => `${method} ${words.at(-1)}`);
    })
    .sort();
/** Asks everything, with 0 for every id. Rights are looked at before what is asked. */
async function answered(status: number, as?: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of paths.filter((one) => one !== 'POST /auth/logout')) {
    const [method, path] = name.split(' ') as [string, string];
    // A stream of changes would not end; a wrong type is refused after the rights.
    const asked = path === '/changes' ? '/changes?types=none' : path.replace(/\{[^}]+\}/g, '0');
    if ((await station.ask(method, asked, { as })).status === status) found.push(name);
  }
  return found.sort();
}

test('a dispatcher is refused exactly the administrators’ paths', async () => {
  expect(await answered(403, dispatcher)).toEqual(listed(ADMINISTRATORS));
});

test('without a token exactly the open paths answer', async () => {
  const asked = paths.filter((one) => one !== 'POST /auth/logout').sort();
  expect(asked.length).toBeGreaterThan(200);
  const refused = new Set(await answered(401));
  expect(asked.filter((name) => !refused.has(name))).toEqual(listed(ANYBODY));
});
