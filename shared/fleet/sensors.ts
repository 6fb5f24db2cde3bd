export const SENSOR_TYPES = ['digital', 'ignition', 'analog', 'fuel', 'driver-key', 'failure'] as const;

/**
 * The place of a sensor's raw value in a record: a bit of `inputs` or an index of `adc`, both from 0, or a
 * name in `params`.
 */
export type SensorInput =
  { readonly kind: 'input' | 'adc'; readonly index: number } | { readonly kind: 'param'; readonly name: string };

/** Raw value and real value. */
export type CalibrationPair = readonly [raw: number, real: number];

/** How a sensor is read. */
export interface ReadBy {
  readonly input: SensorInput;
  /** Raw values ascending; empty: the raw value is real. */
  readonly calibration: readonly CalibrationPair[];
  /** On when the raw value is 0. */
  readonly inverted?: boolean;
}

/** Values that devices report besides their position. */
export interface Readings {
  readonly inputs: number;
  readonly adc: readonly number[];
  readonly params: Readonly<Record<string, number | string | boolean>>;
}

/** The real value of a sensor in a record; undefined when the record does not carry it. */
export function readSensor({ input, calibration, inverted = false }: ReadBy, readings: Readings): number | undefined {
  const raw = rawValue(input, readings);
  if (raw === undefined) return undefined;
  return inverted ? Number(raw === 0) : calibrated(calibration, raw);
}

/** The value as the device sent it; undefined when missing or not a number. */
export function rawValue(input: SensorInput, readings: Readings): number | undefined {
  const raw = sentValue(input, readings);
  return raw === undefined || !Number.isFinite(raw) ? undefined : raw;
}

function sentValue(input: SensorInput, { inputs, adc, params }: Readings): number | undefined {
  switch (input.kind) {
    case 'input':
      return (inputs >>> input.index) & 1;
    case 'adc':
      return adc[input.index];
    case 'param':
      return Object.hasOwn(params, input.name) ? numberOf(params[input.name]!) : undefined;
  }
}

/** Empty text is no number, though JavaScript reads it as 0: a tank would be empty. */
function numberOf(param: number | string | boolean): number | undefined {
  return typeof param === 'string' && param.trim() === '' ? undefined : Number(param);
}

/** Piecewise linear; values beyond the table get its nearest end. */
export function calibrated(table: readonly CalibrationPair[], raw: number): number {
  if (table.length === 0) return raw;
  const [first, last] = [table[0]!, table.at(-1)!];
  if (raw <= first[0]) return first[1];
  if (raw >= last[0]) return last[1];
  const after = table.findIndex(([at]) => at >= raw);
  const [lowRaw, low] = table[after - 1]!;
  const [highRaw, high] = table[after]!;
  return low + ((high - low) * (raw - lowRaw)) / (highRaw - lowRaw);
}
