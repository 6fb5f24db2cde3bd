import type { Bounds, Point } from './coordinates.ts';

const DIGITS = '23456789CFGHJMPQRVWX';
const CODE = /^([23456789CFGHJMPQRVWX]{4}|[23456789CFGHJMPQRVWX]{8})\+([23456789CFGHJMPQRVWX]{2,7})(?:[\s,].*)?$/;
/** Degrees of a digit in the first five pairs; what follows divides a cell into five rows and four columns. */
const STEPS = [20, 1, 0.05, 0.0025, 0.000125];

/**
 * The middle of the cell that an Open Location Code names ("8FJPVG9F+2X"); the town behind a short one ("VG9F+2X Valletta") is not read,
 * for the territory's own middle says well enough which of the cells that are 1° apart is meant.
 */
export function parsePlusCode(text: string, bounds: Bounds | undefined): Point | undefined {
  const [, before, after] = CODE.exec(text.trim().toUpperCase()) ?? [];
  if (before === undefined || after === undefined) return undefined;
  if (before.length === 8) return decode(before + after);
  if (!bounds) return undefined;
  const lon = (bounds[0] + bounds[2]) / 2, lat = (bounds[1] + bounds[3]) / 2;
  const first = [lat + 90, lon + 180].map((value) => [DIGITS[Math.floor(value / 20)]!, DIGITS[Math.floor(value % 20)]!]);
  const cell = decode(first[0]![0]! + first[1]![0]! + first[0]![1]! + first[1]![1]! + before + after);
  return cell && { lon: nearest(cell.lon, lon), lat: nearest(cell.lat, lat) };
}

/** The value that is a whole number of degrees away and nearest to another. */
function nearest(value: number, other: number): number {
  return value + Math.round(other - value);
}

function decode(code: string): Point | undefined {
  let lat = -90, lon = -180;
  let [height, width] = [0, 0];
  STEPS.forEach((step, pair) => {
    lat += DIGITS.indexOf(code[2 * pair]!) * step;
    lon += DIGITS.indexOf(code[2 * pair + 1]!) * step;
    height = width = step;
  });
  for (const letter of code.slice(10)) {
    height /= 5;
    width /= 4;
    lat += Math.floor(DIGITS.indexOf(letter) / 4) * height;
    lon += (DIGITS.indexOf(letter) % 4) * width;
  }
  lat += height / 2;
  lon += width / 2;
  return lat <= 90 && lon <= 180 ? { lon, lat } : undefined;
}
