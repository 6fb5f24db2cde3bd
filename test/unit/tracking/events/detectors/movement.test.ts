import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type ContextSensor } from '../../../../../server/tracking/events/index.ts';
import { east, at, happened, told, every } from './happened.ts';

describe('1 stop', () => {
  const standing = (second: number) => at(second, 0, { speed: 1 });
  test('standing for three minutes is a stop, from when it began to stand', () => {
    expect(happened([at(0, -500), ...[60, 120, 180, 240].map(standing), at(300, 500)], {}, [1])).toEqual([
      [1, 60, 300],
    ]);
  });
  test('standing for two minutes gives no event', () => {
    expect(happened([at(0, -500), ...[60, 120, 179].map(standing), at(200, 500)], {}, [1])).toEqual([]);
  });
  test('at the threshold it drives: three km/h are no standing', () => {
    expect(
      happened(
        every(60, 300, (second) => at(second, second, { speed: 3 })),
        {},
        [1],
      ),
    ).toEqual([]);
    expect(
      happened(
        every(60, 300, (second) => at(second, second, { speed: 2.9 })),
        {},
        [1],
      ),
    ).toEqual([[1, 0, null]]);
  });
  test('after fifteen minutes it is a parking, and still one event', () => {
    expect(told([...every(60, 15 * 60, standing)], {}).filter(({ type }) => type === 1)).toMatchObject([
      { from: 0, until: null, info: 'parking' },
    ]);
    expect(told([...every(60, 14 * 60, standing)], {}).filter(({ type }) => type === 1)).toMatchObject([
      { info: 'stop' },
    ]);
  });
});

describe('2 signal lost', () => {
  test('ten minutes without a record, until the next record’s own time', () => {
    expect(happened([at(0, 0), at(599, 10), at(1300, 20)], {}, [2])).toEqual([[2, 599, 1300]]);
  });
  test('it lasts while nothing comes, and a sleeping device is not lost', () => {
    expect(happened([at(0, 0)], {}, [2], 600_000)).toEqual([[2, 0, null]]);
    expect(happened([at(0, 0)], {}, [2], 599_000)).toEqual([]);
    expect(happened([at(0, 0)], { settings: { ...DEFAULT_SETTINGS, lostAfter: 0 } }, [2], 9e9)).toEqual([]);
  });
  test('it lies where the vehicle was last known to be', () => {
    const [lost] = told([at(0, 100), at(60, 9_000, { fixed: false }), at(800, 100)]).filter(({ type }) => type === 2);
    expect(lost).toMatchObject({ from: 60_000, lon: east(100) });
  });
  test('a record without a position is a sign of life', () => {
    expect(happened([at(0, 0), at(300, 0, { fixed: false }), at(800, 0)], {}, [2])).toEqual([]);
  });
});

describe('3 turn', () => {
  test('a change of heading while driving, to the right and over north', () => {
    expect(
      told([at(0, 0, { direction: 350 }), at(5, 50, { direction: 40 })]).map(({ type, info }) => [type, info]),
    ).toEqual([[3, '50° to the right']]);
  });
  test('to the left over north, and a minute apart just so', () => {
    expect(
      told([at(0, 0, { direction: 10 }), at(60, 50, { direction: 330 })]).map(({ type, info, data }) => [
        type,
        info,
        data['angle'],
      ]),
    ).toEqual([[3, '40° to the left', -40]]);
    expect(happened([at(0, 0, { speed: 10 }), at(5, 5, { direction: 200, speed: 40 })], {}, [3])).toEqual([]);
    expect(happened([at(0, 0, { speed: 11 }), at(5, 5, { direction: 200, speed: 40 })], {}, [3])).toEqual([[3, 0, 5]]);
  });
  test('none while standing, none of thirty degrees, none a minute apart', () => {
    expect(happened([at(0, 0, { speed: 5 }), at(5, 5, { direction: 200, speed: 5 })], {}, [3])).toEqual([]);
    expect(happened([at(0, 0), at(5, 50, { direction: 120 })], {}, [3])).toEqual([]);
    expect(happened([at(0, 0), at(90, 500, { direction: 200 })], {}, [3])).toEqual([]);
  });
});

describe('4 equipment failure', () => {
  test('the device tells of it, until it tells that it is over', () => {
    expect(
      happened(
        [
          at(0, 0),
          at(10, 50, { params: { power_cut: true } }),
          at(20, 100),
          at(30, 150, { params: { power_cut: false } }),
        ],
        {},
        [4],
      ),
    ).toEqual([[4, 10, 30]]);
  });
  test('a fault as a number; a sensor of faults, until it is taken away', () => {
    expect(happened([at(0, 0, { params: { fault: 1 } }), at(10, 50, { params: { fault: 2 } })], {}, [4])).toEqual([
      [4, 0, 10],
    ]);
    const lamp: ContextSensor = {
      id: 3,
      name: 'Lamp',
      type: 'failure',
      input: { kind: 'input', index: 0 },
      calibration: [],
      low: null,
      high: null,
      hysteresis: 0,
      validFrom: 0,
      validUntil: 60_000,
    };
    expect(
      told([at(0, 0, { inputs: 1 }), at(70, 70, { inputs: 1 }), at(90, 90, { inputs: 1 })], { sensors: [lamp] }).filter(
        ({ type }) => type === 4,
      ),
    ).toMatchObject([{ subject: 'sensor:3', info: 'Lamp', from: 0, until: 70_000 }]);
    expect(happened([at(0, 0, { inputs: 1 }), at(20, 0)], { sensors: [lamp] }, [4])).toEqual([[4, 0, 20]]);
    expect(happened([at(0, 0, { inputs: 1 }), at(20, 0)], { sensors: [{ ...lamp, type: 'digital' }] }, [4])).toEqual(
      [],
    );
  });
  test('of two faults one is over and the other one lasts', () => {
    expect(
      happened(
        [
          at(0, 0, { params: { fault: 1, power_cut: true } }),
          at(10, 50, { params: { power_cut: false } }),
          at(20, 50, { params: { power_cut: false } }),
        ],
        {},
        [4],
      ),
    ).toEqual([
      [4, 0, 10],
      [4, 0, null],
    ]);
    expect(
      told([at(0, 100), at(10, 9_000, { fixed: false, params: { fault: true } })]).find(({ type }) => type === 4),
    ).toMatchObject({ lon: east(100) });
    expect(told([at(0, 100), at(10, 200, { params: { fault: true } })]).find(({ type }) => type === 4)).toMatchObject({
      lon: east(200),
    });
  });
  test('records come without a position for ten minutes', () => {
    const blind = (second: number) => at(second, 0, { fixed: false });
    expect(happened([at(0, 0), ...[60, 300, 660].map(blind), at(700, 100)], {}, [4])).toEqual([[4, 60, 700]]);
    expect(happened([at(0, 0), ...[60, 300, 659].map(blind), at(700, 100)], {}, [4])).toEqual([]);
  });
});
