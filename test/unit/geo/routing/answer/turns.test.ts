import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../../../../server/geo/territory/roads/index.ts';
import { car, drawRoads, testbot } from '../town.ts';
import type { Town } from '../town.ts';

test('the instruction at a junction has the direction of the turn', () => {
  const town = drawRoads(
    `
    a   b   c
     \\  |  /
      \\ | /
       \\|/
    d---e---f
       /|\\
      / | \\
     /  |  \\
    g   h   i
  `,
    { ways: { ea: {}, eb: {}, ec: {}, ed: {}, ef: {}, eg: {}, eh: {}, ei: {} } },
  );
  const from = (target: string): string => town.codes('h', target);
  expect(from('b')).toBe('10,1,15');
  expect(from('c')).toBe('10,2,15');
  expect(from('f')).toBe('10,3,15');
  expect(from('i')).toBe('10,4,15');
  expect(from('a')).toBe('10,8,15');
  expect(from('d')).toBe('10,7,15');
  expect(from('g')).toBe('10,6,15');
});

test('a closed turn is driven around, and the way names every road', () => {
  const town = drawRoads(
    `
    a---b---c
        |   |
        d---e
  `,
    { restrictions: [{ from: 'ab', via: 'b', to: 'bc', tags: { restriction: 'no_straight_on' } }] },
  );
  expect(town.route('a', 'c')).toBe('ab,bd,de,ce');
  expect(town.passes('a', 'c')).toBe('a b d e c');
  expect(town.route('c', 'a')).toBe('bc,ab');
});

test('a mandatory turn forbids all others, and an exception lifts it', () => {
  const drawing = `
        c
        |
    a---b---d
        |
        e
  `;
  const only = (tags: Record<string, string>): string[] => {
    const town = drawRoads(drawing, { restrictions: [{ from: 'ab', via: 'b', to: 'bc', tags }] });
    return ['c', 'd', 'e'].map((to) => town.route('a', to));
  };
  expect(only({ restriction: 'only_left_turn' })).toEqual(['ab,bc', 'ab,bc,bc,bd', 'ab,bc,bc,be']);
  expect(only({ restriction: 'only_left_turn', except: 'psv;motorcar' })).toEqual(['ab,bc', 'ab,bd', 'ab,be']);
  expect(only({ 'restriction:hgv': 'only_left_turn' })).toEqual(['ab,bc', 'ab,bd', 'ab,be']);
  expect(only({ 'restriction:motorcar': 'only_left_turn' })).toEqual(['ab,bc', 'ab,bc,bc,bd', 'ab,bc,bc,be']);
  const [left, straight, right] = only({ restriction: 'weird_word' });
  expect(left).toMatch(/^ab,b[de],b[de],bc$/);
  expect([straight, right]).toEqual(['ab,bd', 'ab,be']);
});

test('turning back happens at a dead end only, and costs 20 s', () => {
  const town = drawRoads(`
    a---b---c
        |
        d
  `);
  expect(town.route('a', 'd', 'c')).toBe('ab,bd,bd,bd,bc');
  expect(town.time('a', 'd', 'c')).toBe(60);
  expect(town.route('a', 'b', 'c')).toBe('ab,bc');
});

test('a turn of more than 157 degrees costs as much as turning back, and has a row between carriageways of one name', () => {
  const carriageways = (names: Record<string, string>, profile = car): Town =>
    drawRoads(
      `
    a                       .
                            c---d
    e                       .
  `,
      {
        ways: {
          ac: { name: names.ac!, oneway: 'yes' },
          ce: { name: names.ce!, oneway: 'yes' },
          cd: { name: names.cd! },
        },
        profile,
        minComponent: 1,
      },
    );
  // 702 m at 63 km/h, there and back; at most 48 tenths for the turn by the square of its angle.
  for (const names of [
    { ac: 'Main', ce: 'Main', cd: 'Main' },
    { ac: 'Main', ce: 'Back', cd: 'Side' },
    { ac: '', ce: '', cd: '' },
  ]) {
    const town = carriageways(names);
    const [there, back] = [town.time('a', 'c')!, town.time('c', 'e')!];
    expect(town.time('a', 'e')! - there - back, names.ac).toBeCloseTo(20, 6);
    expect(town.codes('a', 'e'), names.ac).toBe('10,5,15');
  }
  expect(carriageways({ ac: 'Main', ce: 'Main', cd: 'Main' }).codes('a', 'd')).toBe('10,15');
  // The stretch up to the turn has its cost in it.
  const { steps } = carriageways({ ac: 'Main', ce: 'Main', cd: 'Main' }).found('a', 'e');
  expect(steps[0]!.time - steps[1]!.time).toBeCloseTo(20, 6);
});

test('a sharp turn that is no U-turn stays silent on a road of one name, and costs by its angle', () => {
  const town = drawRoads(
    `
    a
        c---d
    e
  `,
    {
      ways: { ac: { name: 'Main', oneway: 'yes' }, ce: { name: 'Main', oneway: 'yes' }, cd: { name: 'Main' } },
      profile: car,
      minComponent: 1,
    },
  );
  // 53 degrees between the two roads: 127 off straight, to the right.
  expect(town.codes('a', 'e')).toBe('10,15');
  expect(town.time('a', 'e')! - town.time('a', 'c')! - town.time('c', 'e')!).toBeCloseTo(1.6, 6);
});

test('turns of a car cost by the square of the angle, left more than right', () => {
  const town = drawRoads(
    `
        c
        |
    a---b---d
        |
        e
  `,
    { profile: car },
  );
  const straight = town.time('a', 'd')!;
  expect(town.time('a', 'e')! - straight).toBeCloseTo(0.8, 5);
  expect(town.time('a', 'c')! - straight).toBeCloseTo(1.2, 5);
});

test('a signal costs each time it is passed, and nothing where a trip starts or ends', () => {
  const town = drawRoads(
    `
    a---b---c---d
  `,
    { ways: { abcd: {} }, nodes: { b: { highway: 'traffic_signals' }, c: { highway: 'traffic_signals' } } },
  );
  expect(town.time('a', 'd')).toBe(44);
  expect(town.time('d', 'a')).toBe(44);
  expect(town.time('a', 'c')).toBe(27);
  expect(town.time('a', 'b')).toBe(10);
  expect(town.time('b', 'c')).toBe(10);
  expect(town.time('b', 'd')).toBe(27);
  expect(town.time('a', 'b', 'd')).toBe(44);
});

describe('where people keep to the left', () => {
  const drawing = `
        l               v---w
        |               |   |
    a---b---c           x---y
        |
        r
  `;
  const spent = (
    ring: Record<string, string> | undefined,
    drivesOn: 'local' | 'left' | 'right' = 'local',
  ): [left: number, right: number] => {
    const town = drawRoads(drawing, {
      ways: { ab: {}, bc: {}, lb: {}, br: {}, ...(ring && { vxywv: ring }) },
      profile: { ...car, drivesOn },
      minComponent: 1,
    });
    const extra = (to: string): number =>
      Math.round((town.time('a', to)! - town.time('a', 'b')! - town.time('b', to)!) * 10);
    return [extra('l'), extra('r')];
  };
  const RING = { junction: 'roundabout', highway: 'primary' };

  test('turns to the left cost what turns to the right cost elsewhere; roundabouts tell where that is', () => {
    expect(spent(undefined)).toEqual([12, 8]);
    expect(spent(RING)).toEqual([12, 8]);
    expect(spent({ ...RING, oneway: '-1' })).toEqual([12, 8]);
    expect(spent({ ...RING, driving_side: 'left' })).toEqual([8, 12]);
    expect(spent(undefined, 'left')).toEqual([8, 12]);
    expect(spent({ ...RING, driving_side: 'left' }, 'right')).toEqual([12, 8]);
  });
  test('a roundabout that is drawn clockwise is one of the left', () => {
    const town = drawRoads(drawing, {
      ways: { ab: {}, bc: {}, lb: {}, br: {}, vwyxv: RING },
      profile: car,
      minComponent: 1,
    });
    expect(Math.round((town.time('a', 'l')! - town.time('a', 'b')! - town.time('b', 'l')!) * 10)).toBe(8);
  });
});

test('travel modes depend on the direction, also where a road is drawn in two directions, and a change of mode has a row', () => {
  const river = {
    ...testbot,
    speeds: { ...testbot.speeds, river: { forward: 36, backward: 16 } },
    modes: { river: { forward: 3, backward: 4 } },
    notStartable: [],
  };
  const town = drawRoads('a---b---c---d', {
    ways: {
      ab: { name: 'R', highway: 'river' },
      bc: { name: 'R', highway: 'river' },
      dc: { name: 'R', highway: 'river' },
    },
    profile: river,
    minComponent: 1,
  });
  const modes = (from: string, to: string): number[] =>
    town
      .found(from, to)
      .steps.slice(0, -1)
      .map(({ mode }) => mode);
  expect(modes('a', 'c')).toEqual([3]);
  expect(modes('c', 'a')).toEqual([4]);
  expect(modes('a', 'd')).toEqual([3, 4]);
  expect(modes('d', 'a')).toEqual([3, 4]);
  expect([town.time('a', 'b'), town.time('b', 'a')]).toEqual([10, 22.5]);
});

test('a route of a lorry notes the limit that nobody can read, and goes around it', () => {
  const truck = PROFILES.truck!;
  const town = (maxweight: string): Town =>
    drawRoads(
      `
    a---b---c---d
        |   |
        e---f
  `,
      { ways: { bc: { bridge: 'yes', maxweight, name: 'Old Bridge' } }, profile: truck, minComponent: 1 },
    );
  expect(town('40').found('a', 'd').notes).toEqual([]);
  expect(town('7.5').passes('a', 'd')).toBe('a b e f c d');
  expect(town('7.5').found('a', 'd').notes).toEqual([]);
  const doubtful = town('see sign');
  expect(doubtful.passes('a', 'd')).toBe('a b e f c d');
  expect(doubtful.found('a', 'd').notes).toMatchObject([
    { kind: 'unreadable-limit', tag: 'maxweight=see sign', name: 'Old Bridge' },
  ]);
  expect(doubtful.found('c', 'd').notes).toEqual([]);
  const form = { gpx: false, instructions: false, geometry: false, compression: true };
  const written = doubtful.router.writtenRoute({ points: [doubtful.at('a'), doubtful.at('d')] }, form);
  expect(JSON.parse(new TextDecoder().decode(written)).notes).toHaveLength(1);
});
