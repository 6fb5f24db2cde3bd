import { expect, test } from 'vitest';
import {
  packAnswer,
  packQuestion,
  packRefusal,
  unpackAnswer,
  unpackQuestion,
  type PackedAnswer,
} from '../../../../server/geo/map-services/questions.ts';
import { digestOfClosures, packConditions, unpackConditions } from '../../../../server/geo/map-services/conditions.ts';

const POINT = { lat: 47.1, lon: 9.5 };
const FORM = { jsonp: 'f' };
const sent = ({ headers, bytes }: PackedAnswer) => unpackAnswer({ headers, data: bytes });

test('a question comes as it was asked, also with limits that have no end', () => {
  const request = { sources: [{ ...POINT, radius: Infinity }], targets: [POINT], snapLimit: Infinity, profile: 'car' };
  expect(unpackQuestion('writtenTable', packQuestion([request, FORM]))).toEqual([request, FORM]);
});

test('what is no question is refused before a thread has it', () => {
  const refused = [
    ['table', [{}]],
    ['table', [{ sources: [POINT], targets: [{ lat: 91, lon: 0 }] }]],
    ['trip', [{ points: [{ lat: '1', lon: 2 }] }, {}]],
    ['match', [{ points: [POINT] }]],
    ['geocode', [{ query: 'a', limit: 0 }]],
    ['tile', [1.5, 0, 0]],
    ['reverse', [null, null]],
    ['nearest', 'x'],
  ] as const;
  for (const [question, args] of refused)
    expect(() => unpackQuestion(question, packQuestion(args as never)), question).toThrow();
  expect(() => unpackQuestion('table', Buffer.from('{'))).toThrow();
});

test('answers come as they were given: tables, bytes, objects, nothing and a refusal', () => {
  const table = {
    ...{ rows: 1, columns: 2, snappedSources: [], snappedTargets: [], offMap: undefined, checksum: 7 },
    times: Int32Array.of(1, 2147483647),
    distances: Int32Array.of(-1, 5),
  };
  expect(sent(packAnswer(table))).toEqual({ answer: table });
  expect(sent(packAnswer({ ...table, distances: new Int32Array() }))).toMatchObject({
    answer: { times: table.times, distances: new Int32Array() },
  });
  // A part of a longer buffer, as threads send it.
  expect(sent(packAnswer(Uint8Array.of(9, 1, 2, 3).subarray(1)))).toEqual({ answer: Uint8Array.of(1, 2, 3) });
  expect(sent(packAnswer({ code: 'NoTrips', message: 'No.' }))).toEqual({
    answer: { code: 'NoTrips', message: 'No.' },
  });
  expect(sent(packAnswer(undefined))).toEqual({ answer: undefined });
  expect(sent(packRefusal())).toBeUndefined();
  expect(() => unpackAnswer({ headers: undefined, data: new Uint8Array() })).toThrow();
});

test('closures in another order are the same; what does not fit its digest is no word of a station', async () => {
  const near = { id: 1, factor: 0, geometry: { type: 'Point' as const, coordinates: [9.5, 47.1] } };
  const far = { id: 2, factor: 0.5, geometry: { type: 'Point' as const, coordinates: [9.6, 47.1] } };
  const digest = digestOfClosures([near, far]);
  expect(digestOfClosures([far, near])).toBe(digest);
  expect(digestOfClosures([near])).not.toBe(digest);
  const conditions = { map: 'a', digest, station: 's', closures: [near, far] };
  expect(await unpackConditions(await packConditions(conditions))).toEqual(conditions);
  expect(await unpackConditions(await packConditions({ ...conditions, closures: [near] }))).toBeUndefined();
  expect(await unpackConditions(Buffer.from('nonsense'))).toBeUndefined();
});
