/** As a pattern: a number of kilometres or miles, "12", "12.5", "12+300" (300 m beyond the kilometre). */
export const NUMBER_OF_UNITS = String.raw`\d{1,4}(?:[.,+]\d{1,3})?`;
/** As a pattern: the unit behind it or before it, in small folded letters. */
export const UNIT_OF_ROADS = '(?:km|klm|pk|kilomet(?:re|er|r)(?:s|a|om|ov|e|u)?|mi|miles?|milia)';

const MILE = 1609.344;
const DISTANCE = new RegExp(String.raw`^(${NUMBER_OF_UNITS})\s*(${UNIT_OF_ROADS})?$`, 'i');

/** Metres of such a number and unit. */
export function metresOf(number: string, unit: string): number {
  const [whole, beyond] = number.split('+');
  const value = beyond === undefined ? Number(number.replace(',', '.')) : Number(whole) + Number(beyond) / 1000;
  return Math.round(value * (/^mi/i.test(unit) ? MILE : 1000));
}

/**
 * Metres of "12", "12.5", "12 km", "12+300", "7 mi"; kilometres where there is no unit, as OpenStreetMap has
 * it.
 */
export function metresOfDistance(text: string): number | undefined {
  const [, number, unit = 'km'] = DISTANCE.exec(text.trim()) ?? [];
  return number === undefined ? undefined : metresOf(number, unit);
}
