import { expect, test } from 'vitest';
import { OWN, stationGraph } from '../../../../../renderer/src/features/stations/picture/station-graph.ts';

const station = (name: string, number: number) => ({ id: `id-${name}`, name, number });
const [NORTH, SOUTH, SPARE] = [station('North', 2), station('South', 3), station('South B', 4)] as const;

test('links between linked stations are drawn once, from any report', () => {
  const links = [
    { id: 7, station: SOUTH, linkedWith: [NORTH] },
    { id: 5, station: NORTH, linkedWith: [SOUTH] },
  ];
  const graph = stationGraph(links);
  expect(graph.stations).toEqual([OWN, '5', '7']);
  expect(graph.links).toEqual([
    { id: '5', from: OWN, to: '5' },
    { id: '7', from: OWN, to: '7' },
    { id: '~5 7', from: '5', to: '7' },
  ]);
  expect(stationGraph(links.toReversed())).toEqual(graph);
  expect(stationGraph([links[0]!, { ...links[1]!, linkedWith: [] }]).links).toEqual(graph.links);
});

test('a station that only others are linked with stands behind them, with their names', () => {
  const graph = stationGraph([
    { id: 5, station: NORTH, linkedWith: [SPARE] },
    { id: 7, station: SOUTH, linkedWith: [SPARE] },
  ]);
  expect(graph.stations).toEqual([OWN, '5', '7', '~id-South B']);
  expect([...graph.distant]).toEqual([['~id-South B', { name: 'South B', through: ['North', 'South'] }]]);
  expect(graph.links.map(({ from, to }) => `${from} ${to}`)).toEqual([
    'own 5',
    'own 7',
    '5 ~id-South B',
    '7 ~id-South B',
  ]);
});
