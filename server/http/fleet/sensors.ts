import { z } from 'zod';
import { among } from '../../../shared/filters.ts';
import { SENSOR_TYPES } from '../../../shared/fleet/sensors.ts';
import { SensorInputShape, type Sensor } from '../../../shared/records/index.ts';
import { versionAt, versionsOf } from '../../../shared/fleet/versions.ts';
import type { Fleet, SensorOrder } from '../../dispatch/fleet/index.ts';
import type { CurrentValue, Telemetry } from '../../tracking/telemetry/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { bodyId, instant, pathId, queryIds, queryInstant, queryInt, textUpTo } from '../request/fields.ts';
import { PLANNED } from './geozones.ts';
import { JsonStream, route, type DeclaredRoute } from '../app/route.ts';

const Pair = z.array(z.number()).length(2).meta({ description: 'raw value, real value' });
const limit = z.number().nullable();
const Version = {
  name: z.string(),
  type: z.enum(SENSOR_TYPES),
  input: SensorInputShape,
  inverted: z.boolean(),
  calibration: z.array(Pair),
  low: limit,
  high: limit,
  hysteresis: z.number(),
  debounce: z.int().nullable(),
  validFrom: z.int(),
};
const SensorAnswer = z
  .object({
    id: z.int(),
    carId: z.int(),
    unit: z.string(),
    ...Version,
    planned: z.array(z.object(Version)).meta({ description: 'what is to hold later, in the order of time' }),
  })
  .meta({ id: 'Sensor' });
const Value = z.object({ time: z.int(), raw: z.number(), value: z.number() }).meta({ id: 'SensorValue' });
const CurrentAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    type: z.enum(SENSOR_TYPES),
    unit: z.string(),
    time: z.int().nullable(),
    raw: z.number().nullable(),
    value: z.number().nullable(),
  })
  .meta({ id: 'CurrentSensorValue' });
const VersionAnswer = z.object({ ...Version, validTill: z.int().nullable() }).meta({ id: 'SensorVersion' });

const Input = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['input', 'adc']), index: z.int().min(0).max(63) }),
  z.object({ kind: z.literal('param'), name: textUpTo(64).min(1) }),
]);
const real = z.number().min(-1e12).max(1e12);
const Change = z.object({
  name: textUpTo(100).optional(),
  unit: textUpTo(20).optional(),
  carId: bodyId.optional(),
  type: z.enum(SENSOR_TYPES).optional(),
  input: Input.optional(),
  inverted: z.boolean().optional(),
  calibration: z
    .array(z.tuple([real, real]))
    .max(200)
    .optional(),
  low: real.nullish(),
  high: real.nullish(),
  hysteresis: real.min(0).optional(),
  debounce: z.int().min(0).max(3_600_000).nullish(),
  validFrom: instant.optional(),
});
const Create = Change.required({ carId: true, type: true, input: true }).extend({ name: textUpTo(100) });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Sensors' } as const;

/** B. Sensors of vehicles, with their calibration. */
export function sensorRoutes(
  fleet: Fleet,
  telemetry: Pick<Telemetry, 'read' | 'currentValues'>,
  now: () => number,
): DeclaredRoute[] {
  const presentSensor = (sensor: Sensor) => presentSensorAt(sensor, now());
  const { sensors } = fleet;
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/:id/sensors/values',
      summary: 'What the sensors of a vehicle say now',
      params,
      answer: z.array(CurrentAnswer),
      description:
        'Of each sensor the value in the latest record that carries it, among the latest 5000 of the vehicle: `time` (epoch ms) of that record, the raw value, and the real one in `unit` by the calibration of that time. Null where none of them does.',
      run: async ({ caller, params }) => {
        const { id } = fleet.detail(caller, params.id).vehicle;
        const fitted = sensors.list(caller).filter(({ vehicleId }) => vehicleId === id);
        const values = await telemetry.currentValues(
          id,
          fitted.map((sensor) => ({ id: sensor.id, versions: versionsOf(sensor) })),
        );
        return fitted.map((sensor) => presentCurrent(sensor, now(), values.get(sensor.id)));
      },
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/sensors',
      summary: 'Sensors',
      query: z.object({ cars: queryIds.optional() }),
      answer: z.array(SensorAnswer),
      description: 'Of the vehicles `cars`, or of all.',
      run: ({ caller, query }) => {
        const isAsked = among(query.cars);
        return sensors
          .list(caller)
          .filter(({ vehicleId }) => isAsked(vehicleId))
          .map(presentSensor);
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/sensors',
      summary: 'Make a sensor',
      body: Create,
      answer: SensorAnswer,
      description:
        '`input` is where the raw value stands in a record: `{kind: "input", index}` a bit of `inputs`, `{kind: "adc", index}` a place in `adc` (both from 0), `{kind: "param", name}` a name in `params`. `calibration` has pairs of raw and real value with rising raw values, straight in between; without it the raw value is real. `inverted`: on when the raw value is 0. `low`, `high` and `hysteresis` are in real values, `debounce` in ms.',
      run: async ({ caller, body }) => presentSensor(await sensors.create(caller, sensorOrder(body))),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/sensors/:id',
      summary: 'One sensor',
      params,
      answer: SensorAnswer,
      run: ({ caller, params }) => presentSensor(sensors.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/sensors/:id/versions',
      summary: 'A sensor as it was',
      params,
      answer: z.array(VersionAnswer),
      run: ({ caller, params }) =>
        versionsOf(sensors.get(caller, params.id)).map((version) => ({
          ...presentVersion(version),
          validTill: version.validUntil,
        })),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/sensors/:id/values',
      summary: 'Raw and real values of a sensor',
      params,
      answer: z.array(Value),
      query: z.object({ from: queryInstant, till: queryInstant, every: queryInt(0, 86_400_000).optional() }),
      description:
        'From `from` to `till` (epoch ms), both included, by the calibration that held at each time; at most one value in `every` ms. Records that do not carry the sensor are left out.',
      run: ({ caller, params, query: { from, till, every } }) => {
        const sensor = sensors.get(caller, params.id);
        if (from > till) throw new Refusal('field.later', { field: 'from', other: 'till' });
        return new JsonStream(
          telemetry.read({
            kind: 'values',
            vehicle: sensor.vehicleId,
            from,
            until: till,
            every,
            sensor: versionsOf(sensor),
          }),
        );
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/sensors/:id',
      summary: 'Change a sensor',
      params,
      body: Change,
      answer: SensorAnswer,
      description: `What is not sent stays. The change holds from now on, or from \`validFrom\`. ${PLANNED}`,
      run: async ({ caller, params, body }) =>
        presentSensor(await sensors.change(caller, params.id, sensorOrder(body))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/sensors/:id',
      summary: 'Delete a sensor',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => sensors.delete(caller, params.id),
    }),
  ];
}

function sensorOrder({ carId, ...same }: z.output<typeof Change>): SensorOrder {
  return { ...same, vehicleId: carId };
}

function presentSensorAt(sensor: Sensor, time: number): z.input<typeof SensorAnswer> {
  return {
    id: sensor.id,
    carId: sensor.vehicleId,
    unit: sensor.unit,
    ...presentVersion(versionAt(sensor, time)),
    planned: sensor.versions.filter(({ validFrom }) => validFrom > time).map(presentVersion),
  };
}

function presentCurrent(sensor: Sensor, now: number, latest: CurrentValue | undefined): z.input<typeof CurrentAnswer> {
  const { name, type } = versionAt(sensor, now);
  return {
    id: sensor.id,
    name,
    type,
    unit: sensor.unit,
    time: latest?.time ?? null,
    raw: latest?.raw ?? null,
    value: latest?.value ?? null,
  };
}

function presentVersion({
  name,
  type,
  input,
  inverted,
  calibration,
  low,
  high,
  hysteresis,
  debounce,
  validFrom,
}: Sensor['versions'][number]): z.input<z.ZodObject<typeof Version>> {
  return { name, type, input, inverted, calibration, low, high, hysteresis, debounce, validFrom };
}
