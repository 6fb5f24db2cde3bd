/** Moves old months to the historian until all are there. */
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openTelemetry } from '../../../../../server/tracking/telemetry/index.ts';
import { monthsIn } from '../../../../../server/tracking/telemetry/months/months.ts';

const [directory, url, now, left] = process.argv.slice(2) as [string, string, string, string];
const telemetry = openTelemetry({
  directory,
  now: () => Number(now),
  findVehicle: () => undefined,
  publish: () => undefined,
  historian: { server: { url, owner: 'a' }, keepMonths: 1, every: 600_000 },
});
// `eventually` of the tests needs their runner. The test that started this limits how long it takes.
while (monthsIn(dirname(telemetry.file)).length !== Number(left)) {
  await telemetry.months.moveOldMonths();
  await setTimeout(20);
}
await telemetry.close();
