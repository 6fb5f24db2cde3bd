import { expect } from 'vitest';
import { classifyWay } from '../../../../../server/geo/territory/roads/rules/classify-way.ts';
import { car } from '../town.ts';

export type Tags = Record<string, string>;

export const judge = (tags: Tags): [forward: number, backward: number] => {
  const use = classifyWay(tags, car);
  return use ? [Math.round(use.forward), Math.round(use.backward)] : [0, 0];
};

/** km/h of both directions for each value of a key, on a way that has other tags too. */
export function each(key: string, others: Tags, speeds: Record<string, number>): void {
  for (const [value, speed] of Object.entries(speeds))
    expect(exact({ ...others, [key]: value }), `${key}=${value}`).toEqual([speed, speed]);
}

export const exact = (tags: Tags): [number, number] => {
  const use = classifyWay(tags, car);
  const kmh = (speed: number): number => Math.round(speed * 1e6) / 1e6;
  return use ? [kmh(use.forward), kmh(use.backward)] : [0, 0];
};
