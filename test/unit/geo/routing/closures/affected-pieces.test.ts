import { expect, test } from 'vitest';
import {
  AffectedMemory,
  closuresOn,
  packAffected,
} from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import type { Affected, AffectedPieces } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import { SEED, numbers } from '../../../../support/chance.ts';

test('each piece names the closures that lie on it, whatever order they came in', () => {
  const random = numbers(SEED + 80);
  for (let i = 0; i < 20; i++) {
    const affected = Array.from({ length: Math.floor(random() * 60) }, (): Affected => {
      const id = Math.floor(random() * 6) * 7;
      return { piece: Math.floor(random() * 40), id, factor: id / 100 };
    });
    const packed = packAffected(affected);
    const sorted = (all: readonly { id: number; factor: number }[]): string[] =>
      all.map(({ id, factor }) => `${id} ${factor}`).sort();
    for (let piece = 0; piece < 42; piece++)
      expect(sorted([...closuresOn(piece, packed)]), `seed ${SEED + 80}`).toEqual(
        sorted(affected.filter((one) => one.piece === piece)),
      );
  }
});

test('what has many pieces goes to another thread without a copy', () => {
  const packed = packAffected(Array.from({ length: 1000 }, (_, piece) => ({ piece, id: 1, factor: 0 })));
  const sent = structuredClone(packed);
  packed.pieces[5] = 77;
  packed.closure[6] = 9;
  expect([sent.pieces[5], sent.closure[6], sent.closures]).toEqual([77, 9, [{ id: 1, factor: 0 }]]);
});

test('packed pieces alternate between two buffers, and the current one stays while the next is packed', () => {
  const random = numbers(SEED + 81);
  const memory = new AffectedMemory();
  const buffers = new Set<ArrayBufferLike>();
  const district = (size: number): Affected[] =>
    Array.from({ length: size }, () => ({
      piece: Math.floor(random() * 5000),
      id: Math.floor(random() * 3),
      factor: 0,
    }));
  const told = (packed: AffectedPieces): unknown =>
    structuredClone({ closures: packed.closures, pieces: [...packed.pieces], closure: [...packed.closure] });
  const packed = (affected: readonly Affected[]): AffectedPieces =>
    packAffected(affected, (bytes) => memory.spare(bytes));
  let now = packed(district(1000));
  memory.adopt();
  for (let change = 0; change < 100; change++) {
    const before = told(now);
    const next = district(1 + Math.floor(random() * 1000));
    packed(district(5)); // one that comes to nothing
    const made = packed(next);
    expect(told(now), `seed ${SEED + 81}`).toEqual(before);
    expect(told(made)).toEqual(told(packAffected(next)));
    if (change >= 20) buffers.add(made.pieces.buffer);
    now = made;
    memory.adopt();
  }
  expect(buffers.size).toBeLessThanOrEqual(3);
});
