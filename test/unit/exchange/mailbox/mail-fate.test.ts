import { expect, test } from 'vitest';
import { matchesMailPattern, withoutQuote } from '../../../../server/exchange/mailbox/mail-fate.ts';
import { readMail } from '../../../../server/exchange/mailbox/read-mail.ts';

test('a pattern is found anywhere, its parts in their order, without regard to case', () => {
  expect(matchesMailPattern('', 'anything')).toBe(true);
  expect(matchesMailPattern('LEAK', 'A leak in Mill Lane')).toBe(true);
  expect(matchesMailPattern('leak*lane', 'A leak in Mill Lane')).toBe(true);
  expect(matchesMailPattern('lane*leak', 'A leak in Mill Lane')).toBe(false);
  expect(matchesMailPattern('(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa')).toBe(false);
});

test('what a reply repeats is left out, and a mail that only quotes stays whole', () => {
  expect(withoutQuote('Yes.\n\nOn Fri, 27 Nov 2026 Ann <ann@town.example>\nwrote:\n> Really?\n> Ann\n')).toBe('Yes.');
  expect(withoutQuote('Да.\n\n-----Исходное сообщение-----\nFrom: ann\nВопрос?')).toBe('Да.');
  expect(withoutQuote('We need:\n\n> a pump')).toBe('We need:');
  expect(withoutQuote('> quoted alone')).toBe('> quoted alone');
  expect(withoutQuote('First\n> part\nthen words')).toBe('First\n> part\nthen words');
});

test('control characters and broken surrogates do not come through, and HTML becomes text', async () => {
  const source =
    'Subject: =?utf-8?Q?a=00b?=\nContent-Type: text/html; charset=utf-8\n\n<p>One</p><script>x</script><p>Two</p>';
  const { subject, text, from, key } = await readMail(Buffer.from(source));
  expect({ subject, text, from }).toEqual({ subject: 'ab', text: 'One\n\nTwo', from: '' });
  expect(key).toBe((await readMail(Buffer.from(source))).key);
  expect(key).not.toBe((await readMail(Buffer.from(`${source} `))).key);
});
