import { encodePolyline } from '../../../server/geo/routing/index.ts';
import type { Coordinate } from '../../../server/geo/routing/index.ts';

/**
 * Requests of area C of every sort, always the same ones: long ways and tables with everything written out,
 * far points, hints that are none, and nonsense.
 */
export function randomRequests(trips: readonly Coordinate[][], count: number): string[] {
  let state = 7;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const point = (): Coordinate =>
    random() < 0.05 ? { lat: random() * 180 - 90, lon: random() * 360 - 180 } : pick(pick(trips));
  const points = (many: number, name = 'loc'): string =>
    Array.from({ length: many }, () => point())
      .map(({ lat, lon }) => `${name}=${lat},${lon}`)
      .join('&');
  const polyline = (many: number): string =>
    `locs=${encodeURIComponent(encodePolyline(Array.from({ length: many }, () => point()).map(({ lat, lon }): [number, number] => [lat, lon])))}`;
  const options = (): string =>
    [
      `z=${pick([0, 5, 12, 17, 18, 18, 99])}`,
      `instructions=${pick(['true', 'false'])}`,
      `compression=${pick(['true', 'false'])}`,
      `geometry=${pick(['true', 'true', 'false'])}`,
      ...(random() < 0.2 ? ['jsonp=app.on%5B0%5D'] : []),
      ...(random() < 0.2 ? ['output=gpx'] : []),
      ...(random() < 0.2 ? ['uturns=true'] : []),
    ].join('&');
  const sorts: [share: number, make: () => string][] = [
    [40, () => `/viaroute?${points(2)}&${options()}`],
    [15, () => `/viaroute?${points(25)}&${options()}`],
    [5, () => `/viaroute?${polyline(25)}&instructions=true&compression=false`],
    [2, () => `/viaroute?${polyline(2000)}`],
    [
      3,
      () =>
        `/viaroute?${Array.from({ length: 25 }, () => `${points(1)}&hint=${pick(['x', 'A'.repeat(32), '_-_-'.repeat(8), 'z'.repeat(300)])}`).join('&')}&checksum=1`,
    ],
    [10, () => `/nearest?${points(1)}&num_results=${pick([1, 10, 100])}`],
    [5, () => `/locate?${points(1)}`],
    [8, () => `/table?${points(2 + below(40))}&distances=${pick(['true', 'false'])}`],
    [0.2, () => `/table?${polyline(500)}&distances=true${pick(['', '&jsonp=f'])}`],
    [0.2, () => `/table?${points(1, 'src')}&${points(499, 'dst')}`],
    [
      0.3,
      () =>
        `/isochrone?${points(1)}&minutes=${pick(['5', '5,10,15', '240', '1,2,3,4,5,240'])}${pick(['', '&jsonp=f'])}`,
    ],
    [
      10,
      () =>
        `/${pick(['viaroute', 'table', 'nearest', 'locate', 'isochrone'])}?${pick(['loc=', 'loc=1', 'loc=91,1', 'loc=1e999,1&loc=0,0', `b=${'9'.repeat(5000)}`, `locs=${'_'.repeat(8000)}`, `${'%E2%82'.repeat(3000)}`, `${'loc=1,1&'.repeat(2000)}`, `loc=${'1'.repeat(9000)},1`, `loc=${'1'.repeat(30_000)}`, 'minutes=,&loc=1,1'])}`,
    ],
  ];
  const whole = sorts.reduce((sum, [share]) => sum + share, 0);
  return Array.from({ length: count }, () => {
    let at = random() * whole;
    return sorts.find(([share]) => (at -= share) < 0)![1]();
  });
}
