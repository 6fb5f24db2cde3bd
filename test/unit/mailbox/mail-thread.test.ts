import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readInThread } from '../../../server/mailbox/mail-thread.ts';

const HEAD = 'From: ann@example.org\r\nSubject: Pump\r\nMIME-Version: 1.0\r\n';

test.each([
  ['nested deeply', nested(2_000)],
  ['of unclosed tags', `${HEAD}Content-Type: text/html\r\n\r\n${'<p>'.repeat(166_000)}`],
  ['of much text', `${HEAD}\r\n${'word '.repeat(2_000_000)}`],
  ['with a header of megabytes', `${HEAD}X-Long: ${'word '.repeat(800_000)}\r\n\r\nText`],
])(
  'the main loop turns while a thread reads a mail %s',
  async (_, source) => {
    let isSettled = false;
    const outcome = readInThread(Buffer.from(source)).then(
      ({ subject }) => subject,
      (error: unknown) => (error as { code: string }).code,
    );
    void outcome.finally(() => (isSettled = true));
    let turns = 0;
    for (; !isSettled; turns++) await nextTurn();
    expect(['Pump', 'mailbox.noMail']).toContain(await outcome);
    expect(turns).toBeGreaterThan(100);
    expect((await readInThread(Buffer.from(`${HEAD}\r\nNext`))).text).toBe('Next');
  },
  60_000,
);

function nested(depth: number): string {
  const opened = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`,
  );
  return `${HEAD}${opened.join('\r\n')}\r\nContent-Type: text/plain\r\n\r\nText`;
}
