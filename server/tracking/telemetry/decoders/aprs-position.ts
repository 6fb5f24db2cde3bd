/** A position as a packet of APRS tells it. */
export interface AprsPosition {
  readonly lat: number;
  readonly lon: number;
  /** km/h */
  readonly speed: number | undefined;
  /** Degrees; undefined: not said. */
  readonly direction: number | undefined;
  /** Metres. */
  readonly height: number | undefined;
  /** Table and code. */
  readonly symbol: string;
}

const KNOT = 1.852;
const FOOT = 0.3048;
const UNCOMPRESSED =
  /^(\d{2})([0-5 ][\d ])\.([\d ]{2})([NSns])([!-~])(\d{3})([0-5 ][\d ])\.([\d ]{2})([EWew])([!-~])(.*)$/s;
const COMPRESSED = /^([/\\A-Za-j])([!-|]{4})([!-|]{4})([!-~])([ -|]{2})([!-~])(.*)$/s;

/**
 * Reads a position after its type and time (APRS Protocol Reference 1.0.1, chapters 6 to 9): in degrees and
 * minutes, with spaces where digits are left out on purpose, or compressed. Undefined: it is not a position.
 */
export function readPosition(text: string): AprsPosition | undefined {
  return readUncompressed(text) ?? readCompressed(text);
}

function readUncompressed(text: string): AprsPosition | undefined {
  const parts = UNCOMPRESSED.exec(text);
  if (!parts) return undefined;
  const [, south, latMinutes, latParts, ns, table, west, lonMinutes, lonParts, ew, code, rest = ''] = parts;
  const lat = degreesOf(south!, latMinutes!, latParts!) * (/s/i.test(ns!) ? -1 : 1);
  const lon = degreesOf(west!, lonMinutes!, lonParts!) * (/w/i.test(ew!) ? -1 : 1);
  const [, course, knots] = /^(\d{3})\/(\d{3})/.exec(rest) ?? [];
  return placed({
    ...{ lat, lon, symbol: `${table}${code}`, height: heightIn(rest) },
    speed: knots === undefined ? undefined : Number(knots) * KNOT,
    direction: course === undefined ? undefined : courseOf(Number(course)),
  });
}

/** The middle of the range that the missing digits leave open. */
function degreesOf(degrees: string, minutes: string, hundredths: string): number {
  const digits = `${minutes}${hundredths}`;
  const open = digits.indexOf(' ');
  if (open < 0) return Number(degrees) + Number(`${minutes}.${hundredths}`) / 60;
  const middle = open === 0 ? '3000' : `${digits.slice(0, open)}5`.padEnd(4, '0');
  return Number(degrees) + Number(`${middle.slice(0, 2)}.${middle.slice(2)}`) / 60;
}

function readCompressed(text: string): AprsPosition | undefined {
  const parts = COMPRESSED.exec(text);
  if (!parts) return undefined;
  const [, table, y, x, code, extension = '', type = '!', rest = ''] = parts;
  const [first, second] = [extension.charCodeAt(0) - 33, extension.charCodeAt(1) - 33];
  const hasAltitude = ((type.charCodeAt(0) - 33) & 0x18) === 0x10;
  const isCourse = extension[0] !== ' ' && extension[0] !== '{' && !hasAltitude;
  return placed({
    lat: 90 - base91(y!) / 380_926,
    lon: -180 + base91(x!) / 190_463,
    symbol: `${table}${code}`,
    speed: isCourse ? (1.08 ** second - 1) * KNOT : undefined,
    direction: isCourse ? first * 4 : undefined,
    height: extension[0] !== ' ' && hasAltitude ? 1.002 ** (first * 91 + second) * FOOT : heightIn(rest),
  });
}

/** Digits of base 91, from `!`. */
function base91(text: string): number {
  return [...text].reduce((sum, digit) => sum * 91 + digit.charCodeAt(0) - 33, 0);
}

/**
 * Reads a position of the Mic-E format (chapter 10): the latitude is in the destination, the rest in the text
 * after the type. Undefined: it is not a position.
 */
export function readMicE(destination: string, text: string): AprsPosition | undefined {
  const to = destination.split('-')[0]!;
  if (!/^[0-9A-LP-Z]{3}[0-9LP-Z]{3}$/.test(to) || !/^[\x26-\x7f][\x26-\x61][\x1c-\x7f]{4}[!-~][!-~]/.test(text))
    return undefined;
  const digits = [...to].map((character) => (/[KLZ]/.test(character) ? ' ' : String(digitOf(character)))).join('');
  const isHigh = (index: number): boolean => to[index]! >= 'P';
  const code = (index: number): number => text.charCodeAt(index) - 28;
  let degrees = code(0) + (isHigh(4) ? 100 : 0);
  if (degrees >= 180 && degrees <= 189) degrees -= 80;
  else if (degrees >= 190 && degrees <= 199) degrees -= 190;
  const minutes = code(1) >= 60 ? code(1) - 60 : code(1);
  const lon = degrees + (minutes + code(2) / 100) / 60;
  const speed = code(3) * 10 + Math.floor(code(4) / 10);
  const course = (code(4) % 10) * 100 + code(5);
  const lat = degreesOf(digits.slice(0, 2), digits.slice(2, 4), digits.slice(4));
  const [, altitude] = /^[`'>\]]?([!-{]{3})\}/.exec(text.slice(8)) ?? [];
  return placed({
    lat: isHigh(3) ? lat : -lat,
    lon: isHigh(5) ? -lon : lon,
    symbol: `${text[7]}${text[6]}`,
    speed: (speed >= 800 ? speed - 800 : speed) * KNOT,
    direction: courseOf(course >= 400 ? course - 400 : course),
    height: altitude === undefined ? undefined : base91(altitude) - 10_000,
  });
}

function digitOf(character: string): number {
  const code = character.charCodeAt(0);
  return code < 65 ? code - 48 : code < 75 ? code - 65 : code - 80;
}

/** 0 is unknown, 360 is north. */
function courseOf(course: number): number | undefined {
  return course < 1 || course > 360 ? undefined : course % 360;
}

/** `/A=001234` in feet. */
function heightIn(comment: string): number | undefined {
  const [, feet] = /\/A=(-\d{5}|\d{6})/.exec(comment) ?? [];
  return feet === undefined ? undefined : Number(feet) * FOOT;
}

function placed(position: AprsPosition): AprsPosition | undefined {
  const { lat, lon, speed, height } = position;
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return undefined;
  return {
    ...position,
    lat: Math.round(lat * 1e7) / 1e7,
    lon: Math.round(lon * 1e7) / 1e7,
    speed: speed === undefined ? undefined : Math.round(speed * 1000) / 1000,
    height: height === undefined ? undefined : Math.round(height),
  };
}
