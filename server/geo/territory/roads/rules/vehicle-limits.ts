import type { Tags } from '../../extract/extract.ts';
import type { Profile } from '../profiles/profile.ts';

/**
 * The effect of posted sizes and weights on a vehicle: it fits, it does not, or a limit is unreadable: then
 * the tag, as `maxheight=…`.
 */
export type Fit = 'fits' | 'exceeds' | { readonly unreadable: string };

/** Words for no limit. */
const NO_LIMIT = new Set(['none', 'no', 'default', 'unsigned', 'no_sign', 'no_indications', 'unlimited']);
/** Metres: a limit tagged as below the usual height counts as this. */
const DEFAULT_HEIGHT = 4;

/** Keys that post a limit, by the kind of size of a profile. */
const KEYS: Readonly<Record<keyof Profile['limits'], readonly string[]>> = {
  height: ['maxheight', 'maxheight:physical'],
  width: ['maxwidth', 'maxwidth:physical'],
  length: ['maxlength'],
  weight: ['maxweight', 'maxweightrating'],
  axleload: ['maxaxleload'],
};

/**
 * `suffix` is `:forward` or `:backward` for limits of one direction, else empty. The least posted limit
 * counts.
 */
export function fitOf(tags: Tags, profile: Profile, suffix = ''): Fit {
  let fit: Fit = 'fits';
  for (const kind in profile.limits) {
    const own = profile.limits[kind as keyof Profile['limits']];
    if (own === undefined) continue;
    for (const base of KEYS[kind as keyof Profile['limits']]) {
      for (const key of [base, ...profile.access.keys.map((vehicle) => `${base}:${vehicle}`)]) {
        const value = tags[key + suffix];
        if (!value) continue;
        const read = fits(own, value, kind === 'height');
        if (read === false) return 'exceeds';
        if (read === undefined) fit = { unreadable: `${key}${suffix}=${value}` };
      }
    }
  }
  return fit;
}

/** Undefined: unreadable. Of several values the least counts. */
function fits(own: number, value: string, isHeight: boolean): boolean | undefined {
  let all: boolean | undefined = true;
  for (const part of value.split(/[;|]/)) {
    const text = part.trim().toLowerCase();
    if (NO_LIMIT.has(text)) continue;
    if (text === 'below_default' && isHeight && own >= DEFAULT_HEIGHT) return false;
    const posted = sizeOf(text);
    if (posted === undefined) all = undefined;
    else if (own > posted) return false;
  }
  return all;
}

/** Metres or tonnes by unit; none is the usual one. */
const UNITS: Readonly<Record<string, number>> = {
  m: 1,
  metre: 1,
  metres: 1,
  meter: 1,
  meters: 1,
  cm: 0.01,
  mm: 0.001,
  t: 1,
  tonne: 1,
  tonnes: 1,
  kg: 0.001,
  st: 0.90718474,
  ton: 0.90718474,
  tons: 0.90718474,
  lt: 1.0160469,
  cwt: 0.0508023,
  lb: 0.00045359237,
  lbs: 0.00045359237,
};
const FOOT = 0.3048;
const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`;
const FEET = new RegExp(
  String.raw`^${NUMBER}\s*(?:'|’|′|ft|feet|foot)\.?\s*-?\s*(?:${NUMBER}\s*(?:"|''|”|″|in|inch|inches)?\.?)?$`,
);
const INCHES = new RegExp(String.raw`^${NUMBER}\s*(?:"|''|”|″|in|inch|inches)\.?$`);
const METRIC = new RegExp(String.raw`^${NUMBER}\s*([a-z]*)\.?$`);

/**
 * Metres or tonnes of `3.5`, `3,5 m`, `7.5 t`, `10 st`, `11ft`, `12'6"`, `12 ft 6 in`; undefined when it is
 * none of these.
 */
function sizeOf(text: string): number | undefined {
  const feet = FEET.exec(text);
  if (feet) return sure((number(feet[1]!) + number(feet[2] ?? '0') / 12) * FOOT);
  const inches = INCHES.exec(text);
  if (inches) return sure((number(inches[1]!) * FOOT) / 12);
  const metric = METRIC.exec(text);
  if (!metric) return undefined;
  const unit = metric[2] === '' ? 1 : Object.hasOwn(UNITS, metric[2]!) ? UNITS[metric[2]!] : undefined;
  return unit === undefined ? undefined : sure(number(metric[1]!) * unit);
}

const number = (text: string): number => Number(text.replace(',', '.'));
/** A limit of nothing is a mistake. */
const sure = (size: number): number | undefined => (size > 0 ? size : undefined);
