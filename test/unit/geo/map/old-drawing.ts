import type { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { draw, square } from './drawn-map.ts';

/** The drawing of which `map-version-1.bin` was made by the last program that wrote this version. */
export function oldDrawing(builder: ExtractBuilder): ExtractBuilder {
  const street: [number, number][] = [
    [-900, 40],
    [-200, 60],
    [150, 10],
    [1200, 30],
  ];
  draw(builder, street, { highway: 'residential', name: 'Ring Road', maxspeed: '30' });
  draw(builder, square(-100, -200, 60), { building: 'yes', name: 'Town Hall' });
  draw(builder, square(-400, -600, 500), { natural: 'water', water: 'lake', name: 'Старое озеро' });
  return builder;
}
