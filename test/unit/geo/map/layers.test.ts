import { expect, test } from 'vitest';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import type { Tags } from '../../../../server/geo/territory/extract/extract.ts';
import { drawnArea, isArea } from '../../../../server/geo/territory/tiles/features/areas.ts';
import { makeTiles } from '../../../../server/geo/territory/tiles/index.ts';
import { drawnLines } from '../../../../server/geo/territory/tiles/features/lines.ts';
import { drawnPoints } from '../../../../server/geo/territory/tiles/features/points.ts';
import type { DrawnAs } from '../../../../server/geo/territory/tiles/layers.ts';
import { at, draw, look, mapDirectory, square } from './drawn-map.ts';

/** `layer kind from-zoom` and what is known besides, as one line. */
function line({ layer, minZoom, attributes }: DrawnAs): string {
  const known = attributes
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => (value === true ? key : `${key}=${value}`));
  return [layer, minZoom, ...known].join(' ');
}
const lines = (tags: Tags) => drawnLines(tags).map(line);
const area = (tags: Tags) => (isArea(tags) ? [drawnArea(tags)].flatMap((drawn) => (drawn ? [line(drawn)] : [])) : []);
const points = (tags: Tags) => drawnPoints(tags).map(line);

test.each<[Tags, string[]]>([
  [{ highway: 'motorway', ref: 'A 1' }, ['road 4 kind=motorway class=motorway ref=A 1 oneway=1']],
  [{ highway: 'motorway', oneway: 'no' }, ['road 4 kind=motorway class=motorway']],
  [{ highway: 'primary_link', oneway: '-1' }, ['road 9 kind=primary class=primary_link link oneway=-1']],
  [
    { 'highway': 'residential', 'name': 'Мира', 'name:ru': 'Мира', 'name:en': 'Peace' },
    ['road 11 kind=minor class=residential name=Мира name:en=Peace'],
  ],
  [{ highway: 'tertiary', junction: 'roundabout' }, ['road 10 kind=tertiary class=tertiary oneway=1 roundabout']],
  [
    { highway: 'service', service: 'driveway', access: 'private', surface: 'gravel' },
    ['road 15 kind=service class=service access=private unpaved'],
  ],
  [{ highway: 'construction', construction: 'trunk' }, ['road 5 kind=trunk class=trunk construction']],
  [{ highway: 'proposed' }, []],
  [{ highway: 'steps', bridge: 'yes', layer: '1' }, ['road 14 kind=path class=steps bridge layer=1']],
  [{ route: 'ferry', name: 'Gozo' }, ['road 8 kind=ferry name=Gozo']],
  [{ railway: 'rail', service: 'siding' }, ['rail 13 kind=rail service']],
  [{ railway: 'tram', highway: 'residential' }, ['road 11 kind=minor class=residential', 'rail 11 kind=tram']],
  [{ waterway: 'stream', tunnel: 'culvert' }, ['waterway 12 kind=stream tunnel']],
  [{ aeroway: 'runway', ref: '13/31' }, ['aeroway 10 kind=runway ref=13/31']],
  [{ barrier: 'wall' }, ['barrier 15 kind=wall']],
  [{ highway: 'constructor' }, []],
  [{ railway: '__proto__', waterway: 'toString' }, []],
])('a line with %o is %o', (tags, expected) => {
  expect(lines(tags)).toEqual(expected);
});

test.each<[Tags, string[]]>([
  [{ 'building': 'yes', 'building:levels': '4' }, ['building 13 height=12']],
  [{ building: 'church', amenity: 'place_of_worship', name: 'St Paul' }, ['building 13 kind=church name=St Paul']],
  [{ building: 'no', landuse: 'industrial' }, ['landuse 4 kind=industrial']],
  [{ natural: 'water', water: 'reservoir' }, ['water 0 kind=reservoir']],
  [{ natural: 'water' }, ['water 0 kind=lake']],
  [{ waterway: 'riverbank' }, ['water 0 kind=river']],
  [{ leisure: 'park', landuse: 'grass' }, ['landuse 4 kind=park']],
  [{ amenity: 'school' }, ['landuse 4 kind=school']],
  [{ highway: 'pedestrian', area: 'yes' }, ['landuse 4 kind=pedestrian']],
  [{ highway: 'residential', landuse: 'residential' }, []],
  [{ barrier: 'fence' }, []],
  [{ barrier: 'fence', leisure: 'garden' }, ['landuse 4 kind=garden']],
  [{ landuse: 'forest', area: 'no' }, []],
  [{ landuse: 'constructor' }, []],
])('a closed way with %o is %o', (tags, expected) => {
  expect(area(tags)).toEqual(expected);
});

test.each<[Tags, string[]]>([
  [{ place: 'city', name: 'Big', population: '1 200 000' }, ['place 4 kind=city rank=1 population=1200000 name=Big']],
  [{ place: 'town', name: 'Small', population: '900' }, ['place 7 kind=town rank=4 population=900 name=Small']],
  [{ place: 'village', name: 'Seat', capital: 'yes' }, ['place 4 kind=village rank=1 capital name=Seat']],
  [{ place: 'village' }, []],
  [{ amenity: 'hospital' }, ['poi 12 kind=hospital rank=1']],
  [{ amenity: 'fire_station', name: 'No. 3' }, ['poi 12 kind=fire_station rank=1 name=No. 3']],
  [{ amenity: 'restaurant' }, []],
  [
    { 'shop': 'tea', 'name': 'Leaf', 'addr:housenumber': '4a' },
    ['poi 15 kind=shop rank=5 name=Leaf', 'housenumber 15 number=4a'],
  ],
  [{ emergency: 'fire_hydrant' }, ['poi 15 kind=hydrant rank=4']],
  [{ amenity: 'constructor', shop: 'no' }, []],
])('a point with %o is %o', (tags, expected) => {
  expect(points(tags)).toEqual(expected);
});

test('a number of a house and its entrance is drawn once, that of a house across the street again', async () => {
  const builder = new ExtractBuilder();
  draw(builder, square(0, 0, 10), { 'building': 'yes', 'addr:housenumber': '7' });
  builder.node(9001, ...at(1, 1), { 'addr:housenumber': '7' });
  builder.node(9002, ...at(3, 1), { 'addr:housenumber': '9' });
  builder.node(9003, ...at(40, 1), { 'addr:housenumber': '7' });
  const numbers = (await look(builder))
    .filter(({ layer }) => layer === 'housenumber')
    .map(({ props }) => props['number']);
  expect(numbers.sort()).toEqual(['7', '7', '9']);
});

test('a lake has its island as a hole, and the forest on the island is there', async () => {
  const builder = new ExtractBuilder();
  const shore = draw(builder, square(-300, -300, 600), {});
  const island = draw(builder, square(-100, -100, 200), { natural: 'wood' });
  builder.relation(
    1,
    [
      { type: 'way', id: shore, role: 'outer' },
      { type: 'way', id: island, role: 'inner' },
    ],
    { type: 'multipolygon', natural: 'water', name: 'Lake' },
  );
  const seen = await look(builder);
  const lake = seen.find(({ layer }) => layer === 'water')!;
  expect(lake.props).toEqual({ kind: 'lake', name: 'Lake' });
  expect(lake.geometry.map(turn)).toEqual([1, -1]);
  expect(seen.filter(({ layer }) => layer === 'landuse').map(({ props }) => props['kind'])).toEqual(['forest']);
  expect(seen.filter(({ layer, props }) => layer === 'poi' && props['name'] === 'Lake')).toHaveLength(1);
});

test('an area of several outlines in pieces is put together, and its outline is not drawn once more', async () => {
  const builder = new ExtractBuilder();
  // The halves of a ring share their end nodes.
  const ids = [
    [0, 0],
    [200, 0],
    [200, 200],
    [0, 200],
  ].map(([east, north], i) => (builder.node(9000 + i, ...at(east!, north!)), 9000 + i));
  builder.way(9100, [ids[0]!, ids[1]!, ids[2]!], {}).way(9101, [ids[0]!, ids[3]!, ids[2]!], {});
  const second = draw(builder, square(-200, -200, 100), { landuse: 'forest' });
  builder.relation(
    1,
    [9100, 9101, second].map((id) => ({ type: 'way' as const, id, role: 'outer' })),
    { type: 'multipolygon', landuse: 'forest' },
  );
  const forests = (await look(builder)).filter(({ layer }) => layer === 'landuse');
  expect(forests).toHaveLength(2);
  for (const { geometry } of forests) expect(geometry.map(turn)).toEqual([1]);
});

test('tags on the outer way count for the area, as they did long ago', async () => {
  const builder = new ExtractBuilder();
  const outer = draw(builder, square(-300, -300, 600), { landuse: 'meadow' });
  const inner = draw(builder, square(0, 0, 100), {});
  builder.relation(
    1,
    [
      { type: 'way', id: outer, role: 'outer' },
      { type: 'way', id: inner, role: 'inner' },
    ],
    { type: 'multipolygon' },
  );
  const meadows = (await look(builder)).filter(({ layer }) => layer === 'landuse');
  expect(meadows.map(({ geometry }) => geometry.map(turn))).toEqual([[1, -1]]);
});

test('what is painted later lies above: tunnels, roads by rank, bridges', async () => {
  const builder = new ExtractBuilder();
  draw(
    builder,
    [
      [-100, 0],
      [100, 0],
    ],
    { highway: 'primary', bridge: 'yes' },
  );
  draw(
    builder,
    [
      [0, -100],
      [0, 100],
    ],
    { highway: 'motorway' },
  );
  draw(
    builder,
    [
      [-100, 50],
      [100, 50],
    ],
    { highway: 'footway' },
  );
  draw(
    builder,
    [
      [-100, 90],
      [100, 90],
    ],
    { highway: 'trunk', tunnel: 'yes' },
  );
  const roads = (await look(builder)).filter(({ layer }) => layer === 'road').map(({ props }) => props['kind']);
  expect(roads).toEqual(['trunk', 'path', 'motorway', 'primary']);
});

test('a boundary is drawn once, for the highest of the areas that share it', async () => {
  const builder = new ExtractBuilder();
  const shared = draw(
    builder,
    [
      [-100, 0],
      [100, 0],
    ],
    {},
  );
  const other = draw(
    builder,
    [
      [100, 0],
      [100, 100],
    ],
    {},
  );
  const bounds = (level: string) => ({ type: 'boundary', boundary: 'administrative', admin_level: level });
  builder.relation(
    1,
    [
      { type: 'way', id: shared, role: 'outer' },
      { type: 'way', id: other, role: 'outer' },
    ],
    bounds('8'),
  );
  builder.relation(2, [{ type: 'way', id: shared, role: 'outer' }], bounds('4'));
  const lines = (await look(builder)).filter(({ layer }) => layer === 'boundary').map(({ props }) => props);
  expect(lines).toEqual([
    { kind: 'municipality', admin_level: 8 },
    { kind: 'region', admin_level: 4 },
  ]);
});

/** 1: clockwise on the screen, as outer rings are; -1: the other way round. */
function turn(ring: { x: number; y: number }[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = ring[i]!,
      b = ring[(i + 1) % ring.length]!;
    sum += a.x * b.y - b.x * a.y;
  }
  return Math.sign(sum);
}

test('a coastline drawn the wrong way round, which would drown the roads, makes no sea, and the import says so', async () => {
  const drawn = (coast: [number, number][]) => {
    const builder = new ExtractBuilder();
    draw(builder, coast, { natural: 'coastline' });
    for (let i = 1; i < 10; i++)
      draw(
        builder,
        [
          [-800, i * 150 - 800],
          [800, i * 150 - 800],
        ],
        { highway: 'residential' },
      );
    // the extract is wider than the island
    draw(
      builder,
      [
        [-3000, -3000],
        [3000, 3000],
      ],
      { boundary: 'administrative' },
    );
    return builder;
  };
  const island = square(-1000, -1000, 2000);
  const seas = async (coast: [number, number][]) =>
    (await look(drawn(coast), 12)).filter(({ props }) => props['kind'] === 'sea').length;
  expect([await seas(island), await seas([...island].reverse())]).toEqual([1, 0]);
  const directory = await mapDirectory(new ExtractBuilder().build());
  const { log } = await makeTiles(drawn([...island].reverse()).build(), directory, () => {});
  expect(log).toContain('The coastline does not fit the roads; the sea is not drawn.');
});
