import { expect, test } from 'vitest';
import { EXAMPLE_PROTOCOLS, examplesFor } from '../../../shared/calls/example-protocols.ts';
import { protocolFaults } from '../../../shared/calls/protocol.ts';

test('no example has a fault, and both languages ask, lead and set the same', () => {
  const shapes = Object.values(EXAMPLE_PROTOCOLS).map((examples) =>
    examples.map(({ questions }) => {
      expect(protocolFaults({ questions })).toEqual([]);
      return questions.map(({ id, answers }) => [
        id,
        answers.map(({ nextId, priority, advice }) => [nextId, priority, advice !== '']),
      ]);
    }),
  );
  expect(shapes[0]).toEqual(shapes[1]);
});

test('an example goes to the types whose names match, and is left out without a match', () => {
  const types = [
    { id: 1, name: 'Пожар в здании' },
    { id: 2, name: 'Roads' },
    { id: 3, name: 'Traffic accident' },
  ];
  expect(examplesFor(types, 'ru').map(({ name, typeIds }) => [name, typeIds])).toEqual([
    ['Пожар', [1]],
    ['ДТП', [3]],
  ]);
});
