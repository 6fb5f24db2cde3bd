/** Where a vessel is, as an AIS message tells it (ITU-R M.1371). */
export interface VesselReport {
  readonly mmsi: string;
  readonly position: { readonly lat: number; readonly lon: number };
  /** Knots. */
  readonly speed: number | undefined;
  readonly direction: number | undefined;
  readonly height: number | undefined;
  /** Second of the minute in which the position was taken. */
  readonly second: number | undefined;
  /** Navigational status, of 0 to 15. */
  readonly status: number | undefined;
}

/** Where the fields of a type of message begin. */
interface Layout {
  readonly speed: number;
  readonly lon: number;
  readonly lat: number;
  readonly course: number;
  readonly second: number;
  readonly bits: number;
}

const CLASS_A: Layout = { speed: 50, lon: 61, lat: 89, course: 116, second: 137, bits: 143 };
const CLASS_B: Layout = { speed: 46, lon: 57, lat: 85, course: 112, second: 133, bits: 139 };
const AIRCRAFT: Layout = { speed: 50, lon: 61, lat: 89, course: 116, second: 128, bits: 134 };
const LAYOUTS: Readonly<Record<number, Layout>> = {
  1: CLASS_A,
  2: CLASS_A,
  3: CLASS_A,
  9: AIRCRAFT,
  18: CLASS_B,
  19: CLASS_B,
};
const LONG_RANGE = 27;
const AIRCRAFT_TYPE = 9;
const BITS_OF_LONG_RANGE = 95;

/** The values that mean "not available", and the units of a degree. */
const NO_SPEED = 1023;
const NO_COURSE = 3600;
const PER_DEGREE = 600_000;

/**
 * Reads the payload of `!AIVDM`, six bits a character. Undefined: a message without a position, such as the name of a
 * vessel. Text says what is wrong.
 */
export function readAis(payload: string, fillBits: number): VesselReport | string | undefined {
  const bits = new Bits(payload, fillBits);
  if (bits.length < 38) return 'an AIS message is too short';
  const type = bits.unsigned(0, 6);
  if (type === LONG_RANGE) return readLongRange(bits);
  const layout = LAYOUTS[type];
  if (!layout) return undefined;
  if (bits.length < layout.bits) return 'an AIS message is shorter than its type';
  const position = placeOf(bits.signed(layout.lon, 28) / PER_DEGREE, bits.signed(layout.lat, 27) / PER_DEGREE);
  if (!position) return undefined;
  const isAircraft = type === AIRCRAFT_TYPE;
  const speed = bits.unsigned(layout.speed, 10);
  const course = bits.unsigned(layout.course, 12);
  const second = bits.unsigned(layout.second, 6);
  const height = isAircraft ? bits.unsigned(38, 12) : 4095;
  return {
    mmsi: mmsiOf(bits),
    position,
    speed: speed === NO_SPEED ? undefined : isAircraft ? speed : speed / 10,
    direction: course < NO_COURSE ? course / 10 : undefined,
    height: height === 4095 ? undefined : height,
    second: second < 60 ? second : undefined,
    status: layout === CLASS_A ? bits.unsigned(38, 4) : undefined,
  };
}

function readLongRange(bits: Bits): VesselReport | string | undefined {
  if (bits.length < BITS_OF_LONG_RANGE) return 'an AIS message is shorter than its type';
  const position = placeOf(bits.signed(44, 18) / 600, bits.signed(62, 17) / 600);
  if (!position) return undefined;
  const speed = bits.unsigned(79, 6);
  const course = bits.unsigned(85, 9);
  return {
    mmsi: mmsiOf(bits),
    position,
    speed: speed === 63 ? undefined : speed,
    direction: course < 360 ? course : undefined,
    height: undefined,
    second: undefined,
    status: bits.unsigned(40, 4),
  };
}

/** 181 and 91 degrees mean that there is no position. */
function placeOf(lon: number, lat: number): VesselReport['position'] | undefined {
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? { lat: round(lat), lon: round(lon) } : undefined;
}

function mmsiOf(bits: Bits): string {
  return String(bits.unsigned(8, 30)).padStart(9, '0');
}

/** A string of bits, six in each character. */
class Bits {
  readonly #payload: string;
  readonly length: number;

  constructor(payload: string, fillBits: number) {
    this.#payload = payload;
    this.length = payload.length * 6 - fillBits;
  }

  unsigned(from: number, length: number): number {
    let value = 0;
    for (let at = from; at < from + length; at++) {
      const code = this.#payload.charCodeAt(Math.floor(at / 6)) - 48;
      const six = code > 40 ? code - 8 : code;
      value = value * 2 + ((six >> (5 - (at % 6))) & 1);
    }
    return value;
  }

  signed(from: number, length: number): number {
    const value = this.unsigned(from, length);
    return value >= 2 ** (length - 1) ? value - 2 ** length : value;
  }
}
