import { definedFields } from '../../../shared/defined-fields.ts';
import type { Sensor } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { CalibrationPair, SensorInput } from '../../../shared/fleet/sensors.ts';
import { revised, versionAt } from '../../../shared/fleet/versions.ts';
import { named, type DirectoryRules } from './directory.ts';
import { beginOf } from './geozones.ts';
import type { KnownToRoutes } from './planned-routes.ts';

type SensorVersion = Sensor['versions'][number];

/** Fields of a sensor; undefined ones stay. */
export interface SensorOrder {
  name?: string | undefined;
  vehicleId?: number | undefined;
  unit?: string | undefined;
  type?: SensorVersion['type'] | undefined;
  input?: SensorInput | undefined;
  inverted?: boolean | undefined;
  calibration?: readonly CalibrationPair[] | undefined;
  low?: number | null | undefined;
  high?: number | null | undefined;
  hysteresis?: number | undefined;
  debounce?: number | null | undefined;
  validFrom?: number | undefined;
}

const MAX_PAIRS = 200;

/** A sensor belongs to its vehicle: users who see the vehicle see it. */
export function sensorRules(
  known: Pick<KnownToRoutes, 'organizationOfVehicle' | 'seesVehicle'>,
  now: () => number,
): DirectoryRules<Sensor, SensorOrder> {
  return {
    what: 'sensor',
    owner: ({ vehicleId }) => known.organizationOfVehicle(vehicleId),
    shown: ({ vehicleId }) => known.organizationOfVehicle(vehicleId) !== undefined,
    create: (id, order, by) => {
      if (order.vehicleId === undefined) throw new Refusal('field.missing', { field: 'carId' });
      if (!known.seesVehicle(by, order.vehicleId))
        throw new Refusal('field.unknown', { field: 'carId', id: order.vehicleId });
      if (order.type === undefined) throw new Refusal('field.missing', { field: 'type' });
      if (order.input === undefined) throw new Refusal('field.missing', { field: 'input' });
      const name = named(order.name);
      const blank: SensorVersion = {
        validFrom: order.validFrom ?? now(),
        name,
        type: order.type,
        input: order.input,
        inverted: false,
        calibration: [],
        low: null,
        high: null,
        hysteresis: 0,
        debounce: null,
      };
      return {
        id,
        kind: 'sensor',
        name,
        isDeleted: false,
        deletedAt: null,
        vehicleId: order.vehicleId,
        unit: order.unit ?? '',
        versions: [checked({ ...blank, ...versionFields(order) })],
      };
    },
    change: (sensor, order) => {
      const validFrom = beginOf(order, sensor, now());
      const before = versionAt(sensor, validFrom);
      if (order.vehicleId !== undefined && order.vehicleId !== sensor.vehicleId)
        throw new Refusal('fleet.sensorVehicle', { field: 'carId' });
      const name = named(order.name, before.name);
      const next = checked({ ...before, ...versionFields(order), validFrom, name });
      const versions = [...revised(sensor.versions, next)];
      for (const version of versions) if (version.validFrom > validFrom) checked(version);
      return { ...sensor, name: versionAt({ versions }, now()).name, unit: order.unit ?? sensor.unit, versions };
    },
    delete: (sensor) => ({ ...sensor, deletedAt: now() }),
  };
}

function versionFields({
  type,
  input,
  inverted,
  calibration,
  low,
  high,
  hysteresis,
  debounce,
}: SensorOrder): Partial<SensorVersion> {
  return definedFields({
    type,
    input,
    inverted,
    calibration: calibration?.map(([raw, real]): [number, number] => [raw, real]),
    low,
    high,
    hysteresis,
    debounce,
  });
}

function checked(version: SensorVersion): SensorVersion {
  const { calibration, low, high, input } = version;
  if (calibration.length > MAX_PAIRS)
    throw new Refusal('fleet.calibrationLong', { field: 'calibration', most: MAX_PAIRS });
  if (calibration.length === 1) throw new Refusal('fleet.calibrationShort', { field: 'calibration' });
  if (calibration.some(([raw], index) => index > 0 && raw <= calibration[index - 1]![0]))
    throw new Refusal('fleet.calibrationFalls', { field: 'calibration' });
  if (low !== null && high !== null && high <= low)
    throw new Refusal('field.notGreater', { field: 'high', other: 'low' });
  if (input.kind === 'input' && input.index > 31) throw new Refusal('fleet.digitalInput', { field: 'input.index' });
  return version;
}
