import { describe, expect, test } from 'vitest';
import type { Geometry } from 'geojson';
import { isRelevant, touches, type Relevance } from '../../../../server/exchange/warnings/reading/relevance.ts';
import { alert, info, read } from './documents.ts';

const BOX = [9, 47, 10, 48] as const;
const EVERYWHERE: Relevance = { bounds: null, places: [], leastSeverity: 'unknown' };
const placed = (area: string, severity = 'Severe') => read(alert({ infos: [info({ area, severity })] })).warnings[0]!;
const NAMED =
  '<areaDesc>Rhine valley, upper part</areaDesc><geocode><valueName>EMMA_ID</valueName><value>LI001</value></geocode>';

describe('a warning concerns the station', () => {
  test('when it touches the territory: a corner, a side, around it, or through it', () => {
    const polygon = (...ring: [number, number][]): Geometry => ({ type: 'Polygon', coordinates: [ring] });
    expect(touches(polygon([9.5, 47.5], [20, 47.5], [20, 60], [9.5, 47.5]), BOX)).toBe(true);
    expect(touches(polygon([0, 40], [20, 40], [20, 60], [0, 60], [0, 40]), BOX)).toBe(true);
    expect(touches(polygon([8, 46], [11, 49], [11, 49.1], [8, 46]), BOX)).toBe(true);
    expect(touches(polygon([10.001, 47], [11, 47], [11, 48], [10.001, 47]), BOX)).toBe(false);
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [8, 47.5],
        [11, 47.5],
      ],
    };
    expect(touches(line, BOX)).toBe(true);
    expect(
      touches(
        {
          ...line,
          coordinates: [
            [8, 46],
            [8, 49],
            [11, 49],
          ],
        },
        BOX,
      ),
    ).toBe(false);
    expect(touches({ type: 'Point', coordinates: [10, 48] }, BOX)).toBe(true);
    expect(touches({ type: 'Point', coordinates: [10.0001, 48] }, BOX)).toBe(false);
  });

  test('when its area or code is listed, wherever it is; whole words count', () => {
    const far = placed(`${NAMED}<polygon>10,10 10,11 11,11 10,10</polygon>`);
    const takes = (...places: string[]) => isRelevant(far, { ...EVERYWHERE, bounds: BOX, places });
    expect(takes()).toBe(false);
    for (const place of ['LI001', 'emma_id=li001', 'Rhine Valley', 'upper part'])
      expect([place, takes(place)]).toEqual([place, true]);
    for (const place of ['LI00', 'Rhin', 'hine']) expect([place, takes(place)]).toEqual([place, false]);
    expect(isRelevant(far, { ...EVERYWHERE, places: ['LI001'] })).toBe(true);
    expect(isRelevant(far, { ...EVERYWHERE, places: ['LI002'] })).toBe(false);
  });

  test('when it only names its area and nobody listed places', () => {
    expect(isRelevant(placed(NAMED), { ...EVERYWHERE, bounds: BOX })).toBe(true);
    expect(isRelevant(placed(NAMED), { ...EVERYWHERE, bounds: BOX, places: ['LI002'] })).toBe(false);
  });

  test('from its least severity on', () => {
    const from = (leastSeverity: Relevance['leastSeverity']) =>
      ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'].filter((severity) =>
        isRelevant(placed(NAMED, severity), { ...EVERYWHERE, leastSeverity }),
      );
    expect(from('unknown')).toHaveLength(5);
    expect(from('moderate')).toEqual(['Moderate', 'Severe', 'Extreme']);
    expect(from('extreme')).toEqual(['Extreme']);
  });
});
