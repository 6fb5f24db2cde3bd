import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { lineWriter, type LogEntry } from '../../../server/log/index.ts';

const ENTRY: LogEntry = { id: '7', time: 0, level: 'WARN', logger: 'http', thread: 'main', message: 'one\ntwo' };

/** What the writer writes of an entry. */
function written(format: 'text' | 'json'): string {
  const output = new PassThrough();
  lineWriter(format, output)(ENTRY);
  return String(output.read());
}

test('an entry is one line of JSON, or of text that continues indented', () => {
  expect(JSON.parse(written('json'))).toEqual({ ...ENTRY, time: '1970-01-01T00:00:00.000Z' });
  expect(written('json').trimEnd()).not.toContain('\n');
  expect(written('text')).toBe('1970-01-01T00:00:00.000Z WARN http: one\n  two\n');
});

test('a reader that went away does not stop the station', () => {
  const output = new PassThrough();
  const write = lineWriter('json', output);
  output.destroy(new Error('EPIPE'));
  expect(() => write(ENTRY)).not.toThrow();
});
