import type { LonLatPoint } from './coordinates.ts';

const DIGITS = '23456789CFGHJMPQRVWX';
const CODE = /^([23456789CFGHJMPQRVWX]{4}|[23456789CFGHJMPQRVWX]{8})\+([23456789CFGHJMPQRVWX]{2,7})(?:[\s,](.*))?$/i;
/**
 * Degrees of a digit in the first five pairs; what follows divides a cell into five rows and four columns.
 */
const STEPS = [20, 1, 0.05, 0.0025, 0.000125];

/**
 * The middle of the cell that an Open Location Code names: "8FJPVG9F+2X", or "VG9F+2X Valletta", of which
 * there is one for each degree: that nearest to what `about` gives for the text behind it. Undefined when
 * that gives nothing.
 */
export function parsePlusCode(text: string, about: (town: string) => LonLatPoint | undefined): LonLatPoint | undefined {
  const [, before, after, town] = CODE.exec(text.trim()) ?? [];
  if (before === undefined || after === undefined) return undefined;
  const digits = (before + after).toUpperCase();
  if (before.length === 8) return decode(digits);
  const near = about(town ?? '');
  if (!near) return undefined;
  const [south, west] = [near.lat + 90, near.lon + 180].map(
    (value) => [DIGITS[Math.floor(value / 20)]!, DIGITS[Math.floor(value % 20)]!] as const,
  );
  const cell = decode(south![0] + west![0] + south![1] + west![1] + digits);
  return cell && { lon: nearest(cell.lon, near.lon), lat: nearest(cell.lat, near.lat) };
}

/** The value that is a whole number of degrees away and nearest to another. */
function nearest(value: number, other: number): number {
  return value + Math.round(other - value);
}

function decode(code: string): LonLatPoint | undefined {
  let lat = -90,
    lon = -180;
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
