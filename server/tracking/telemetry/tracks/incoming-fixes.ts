import type { ValidRecord } from '../records/fix.ts';
import { hasPosition } from './plausible.ts';
import { extraOf, orderedReadings, readingsOf, type RecordedPoint } from './stored-point.ts';

/** A record of a known vehicle on its way to the track, with only the fields of track and last state. */
export interface IncomingFix {
  readonly vehicle: number;
  readonly time: number;
  /** NaN, like `lon`: the device sent no position. */
  readonly lat: number;
  readonly lon: number;
  /** undefined: computed from the point before. */
  readonly speed: number | undefined;
  readonly direction: number;
  readonly height: number;
  readonly gpsCount: number | undefined;
  readonly glonassCount: number | undefined;
  readonly inputs: number;
  /** null: no ignition is connected. */
  readonly engineOn: boolean | null;
  /** The crew's status digit from the device, or undefined, or invalid. */
  readonly crewStatus: number | undefined;
  /** JSON of `adc` and `params`, as stored in the track. */
  readonly extra: string;
}

/**
 * Arrivals as passed between threads: `WIDTH` numbers each, NaN for missing ones, and a line of text. One
 * long text is passed in half the time of many.
 */
export interface PackedFixes {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly lines: string;
}

/** JSON escapes line breaks as `\n`. */
const BREAK = '\n';

const WIDTH = 12;
const FIRST_ROOM = 64;

/**
 * Collects arrivals in one buffer, because an object each would cost more than everything else. Nothing else
 * of the records is kept: thousands wait for the disk, and waiting objects make garbage collection expensive.
 */
export class IncomingBatch {
  #numbers = new Float64Array(FIRST_ROOM * WIDTH);
  readonly #texts: string[] = [];

  get count(): number {
    return this.#texts.length;
  }

  add(vehicle: number, record: ValidRecord, engineOn: boolean | null): void {
    let at = this.#texts.length * WIDTH;
    if (at === this.#numbers.length) {
      const wider = new Float64Array(at * 2);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    const numbers = this.#numbers;
    numbers[at++] = vehicle;
    numbers[at++] = record.time;
    numbers[at++] = record.lat;
    numbers[at++] = record.lon;
    numbers[at++] = record.speed ?? NaN;
    numbers[at++] = record.direction ?? 0;
    numbers[at++] = record.height ?? 0;
    numbers[at++] = record.gpsCount ?? NaN;
    numbers[at++] = record.glonassCount ?? NaN;
    numbers[at++] = record.inputs ?? 0;
    numbers[at++] = engineOn === null ? NaN : Number(engineOn);
    numbers[at] = crewStatusOf(record) ?? NaN;
    this.#texts.push(extraOf(orderedReadings(record)));
  }

  vehicle(index: number): number {
    return this.#numbers[index * WIDTH]!;
  }

  /** The point of an arrival, as it would be read from its track, so that consumers need not read it back. */
  recorded(index: number, markBits: number): RecordedPoint {
    const at = index * WIDTH;
    const numbers = this.#numbers;
    const { inputs, adc, params } = readingsOf({ inputs: numbers[at + 9]!, extra: this.#texts[index]! });
    return {
      time: numbers[at + 1]!,
      lat: numbers[at + 2]!,
      lon: numbers[at + 3]!,
      speed: known(numbers[at + 4]!) ?? null,
      direction: numbers[at + 5]!,
      fixed: hasPosition(markBits),
      inputs,
      adc,
      params,
    };
  }

  /** The contents to pass on; the buffer of `numbers` may be transferred. */
  packed(): PackedFixes {
    return { numbers: this.#numbers.slice(0, this.count * WIDTH), lines: this.#texts.join(BREAK) };
  }
}

/** Arrivals received from the other side. */
export class IncomingFixes {
  readonly count: number;
  readonly #numbers: Float64Array;
  readonly #texts: readonly string[];

  private constructor({ numbers, lines }: PackedFixes) {
    this.count = numbers.length / WIDTH;
    this.#numbers = numbers;
    this.#texts = lines.split(BREAK);
  }

  static from(packed: PackedFixes): IncomingFixes {
    return new IncomingFixes(packed);
  }

  at(index: number): IncomingFix {
    const at = index * WIDTH;
    const numbers = this.#numbers;
    const engine = known(numbers[at + 10]!);
    return {
      vehicle: numbers[at]!,
      time: numbers[at + 1]!,
      lat: numbers[at + 2]!,
      lon: numbers[at + 3]!,
      speed: known(numbers[at + 4]!),
      direction: numbers[at + 5]!,
      height: numbers[at + 6]!,
      gpsCount: known(numbers[at + 7]!),
      glonassCount: known(numbers[at + 8]!),
      inputs: numbers[at + 9]!,
      engineOn: engine === undefined ? null : engine === 1,
      crewStatus: known(numbers[at + 11]!),
      extra: this.#texts[index]!,
    };
  }
}

function known(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}

/** The crew's status digit of a record, or undefined, or invalid. */
export function crewStatusOf({ params }: Pick<ValidRecord, 'params'>): number | undefined {
  const given = params?.['unit_status'];
  if (given === undefined) return undefined;
  const said = Number(given);
  return Number.isInteger(said) && said >= 0 && said <= 9 ? said : undefined;
}
