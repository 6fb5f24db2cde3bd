/**
 * Takes in telemetry until it is killed, and says each second of the fleet that was acknowledged, after it
 * was.
 */
import { sayAtOnce } from './say.ts';
import { openTelemetry } from '../../../server/tracking/telemetry/index.ts';

const [directory, from] = process.argv.slice(2) as [string, string];
const VEHICLES = 20;
const telemetry = openTelemetry({
  directory,
  now: () => 2_000_000_000_000,
  findVehicle: ({ glonassId }) => ({ id: glonassId! }),
  publish: () => undefined,
});
sayAtOnce('ready');
for (let second = Number(from); ; second++) {
  const posts = Array.from({ length: VEHICLES }, (_, vehicle) =>
    telemetry
      .ingest(
        [
          {
            glonassId: vehicle + 1,
            time: 1_000_000_000_000 + second * 1000,
            lat: 50 + second / 100_000,
            lon: 20,
            speed: 30,
            params: { second },
          },
        ],
        'test',
      )
      .then(() => sayAtOnce(`${second} ${vehicle + 1}`)),
  );
  await Promise.race(posts); // the next second comes while answers to this one are under way
}
