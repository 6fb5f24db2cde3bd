import { expect, test } from 'vitest';
import { readInThread } from '../../../../server/exchange/mailbox/mail-thread.ts';

const HEAD = 'From: ann@example.org\r\nSubject: Pump\r\nMIME-Version: 1.0\r\n';

test.each([
  ['nested deeply', nested(2_000)],
  ['of unclosed tags', `${HEAD}Content-Type: text/html\r\n\r\n${'<p>'.repeat(166_000)}`],
  ['of much text', `${HEAD}\r\n${'word '.repeat(2_000_000)}`],
  ['with a header of megabytes', `${HEAD}X-Long: ${'word '.repeat(800_000)}\r\n\r\nText`],
])(
  'the main thread does little while another one reads a mail %s',
  async (_, source) => {
    const bytes = Buffer.from(source);
    const [main, all] = [process.threadCpuUsage(), process.cpuUsage()];
    const outcome = await readInThread(bytes).then(
      ({ subject }) => subject,
      (error: unknown) => (error as { code: string }).code,
    );
    const [mine, both] = [sum(process.threadCpuUsage(main)), sum(process.cpuUsage(all))];
    expect(['Pump', 'mailbox.noMail']).toContain(outcome);
    // Half of the work, or less time than a person notices: a short mail leaves too little to compare.
    expect(mine).toBeLessThan(Math.max(50_000, both / 2));
    expect((await readInThread(Buffer.from(`${HEAD}\r\nNext`))).text).toBe('Next');
  },
  60_000,
);

const sum = ({ user, system }: NodeJS.CpuUsage) => user + system;

function nested(depth: number): string {
  const opened = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`,
  );
  return `${HEAD}${opened.join('\r\n')}\r\nContent-Type: text/plain\r\n\r\nText`;
}
