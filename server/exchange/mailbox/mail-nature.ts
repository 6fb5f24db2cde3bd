/**
 * Kind of sender: a person; a program by itself, such as an alarm panel or a mailing list; a program that
 * answers mail, such as a note of absence or of a failed delivery.
 */
export type MailNature = 'person' | 'automatic' | 'answering';

/**
 * Finds by its headers who wrote a mail (RFC 3834, RFC 2076, RFC 2919). @param header value of a header by
 * its name in lower case
 */
export function natureOf(header: (name: string) => string | undefined, from: string): MailNature {
  const submitted = (header('auto-submitted') ?? 'no').toLowerCase();
  const precedence = (header('precedence') ?? '').toLowerCase();
  const isAnswer =
    submitted.startsWith('auto-replied') ||
    precedence === 'auto_reply' ||
    ANSWERING_HEADERS.some((name) => header(name) !== undefined) ||
    header('return-path') === '<>' ||
    /^multipart\/report\b/i.test(header('content-type') ?? '') ||
    /^(?:mailer-daemon|postmaster)@/i.test(from);
  if (isAnswer) return 'answering';
  const isAutomatic =
    !/^no\b/.test(submitted) ||
    ['bulk', 'list', 'junk'].includes(precedence) ||
    ['list-id', 'list-unsubscribe'].some((name) => header(name) !== undefined);
  return isAutomatic ? 'automatic' : 'person';
}

const ANSWERING_HEADERS = ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'x-loop', 'x-failed-recipients'];
