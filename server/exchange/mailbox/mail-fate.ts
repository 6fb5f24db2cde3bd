import type { IncomingMail } from './read-mail.ts';
import type { MailRule } from './settings.ts';

/** Fates of a mail. */
export type MailFate =
  | { readonly kind: 'task'; readonly rule: MailRule }
  | { readonly kind: 'comment'; readonly taskId: number }
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy };

/** Why a mail becomes nothing: a program answers; the station wrote it; a program wrote it; no rule fits. */
export const IGNORED_WHY = ['answering', 'own', 'automatic', 'noRule'] as const;
export type IgnoredWhy = (typeof IGNORED_WHY)[number];

interface FateQuestion {
  readonly mail: IncomingMail;
  readonly rules: readonly MailRule[];
  /** Addresses from which the station itself writes, in lower case. */
  readonly ownAddresses: readonly string[];
  /** The task of the mail with this Message-ID, while comments on it may be written. */
  taskOfMail(mailId: string): number | undefined;
  /** Whether this sender may comment on this task with only its number. */
  mayName(taskId: number, from: string): boolean;
}

/** Decides the result for a mail (README rules 4 to 7). */
export function fateOf({ mail, rules, ownAddresses, taskOfMail, mayName }: FateQuestion): MailFate {
  if (mail.nature === 'answering') return { kind: 'ignored', why: 'answering' };
  if (ownAddresses.includes(mail.from)) return { kind: 'ignored', why: 'own' };
  if (mail.nature === 'person') {
    for (const id of mail.answers) {
      const taskId = taskOfMail(id);
      if (taskId !== undefined) return { kind: 'comment', taskId };
    }
    const named = taskNamedIn(mail.subject);
    if (named !== undefined && mayName(named, mail.from)) return { kind: 'comment', taskId: named };
  }
  const fitting = rules.filter((rule) => fits(rule, mail));
  const rule = mail.nature === 'automatic' ? fitting.find(({ takesAutomatic }) => takesAutomatic) : fitting[0];
  if (rule) return { kind: 'task', rule };
  return { kind: 'ignored', why: fitting.length > 0 ? 'automatic' : 'noRule' };
}

/** As subjects of our notices name a task, or as `[#12]`. */
function taskNamedIn(subject: string): number | undefined {
  const found = /(?:^|[^\p{L}])(?:task|задача)\s+(\d{1,10})(?!\d)|\[#(\d{1,10})\]/iu.exec(subject);
  return found ? Number(found[1] ?? found[2]) : undefined;
}

function fits(rule: MailRule, { from, fromName, to, subject }: IncomingMail): boolean {
  return (
    matchesMailPattern(rule.from, `${fromName} <${from}>`) &&
    (rule.to.trim() === '' || to.some((address) => matchesMailPattern(rule.to, address))) &&
    matchesMailPattern(rule.subject, subject)
  );
}

/** Whether the parts of the pattern between its `*` occur in the text, in their order. */
export function matchesMailPattern(pattern: string, text: string): boolean {
  const folded = text.toLowerCase();
  let at = 0;
  for (const part of pattern.trim().toLowerCase().split('*')) {
    const found = folded.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** Without the mail that a reply repeats below its words. */
export function withoutQuote(text: string): string {
  const lines = text.split('\n');
  const mark = lines.findIndex((line) => /^\s*-{2,}.*(?:original message|исходное сообщение).*-{2,}\s*$/i.test(line));
  let end = mark < 0 ? lines.length : mark;
  while (end > 0 && /^\s*(?:>.*)?$/.test(lines[end - 1]!)) end--;
  const isQuoted = lines.slice(end).some((line) => line.trimStart().startsWith('>'));
  // The lines above the quote say who wrote it, and when.
  const head = lines.slice(0, end).findLastIndex((line) => line.trim() === '') + 1;
  const saysWho = end - head <= 2 && lines[end - 1]?.trimEnd().endsWith(':');
  if (isQuoted && saysWho && /\d|@/.test(lines.slice(head, end).join(' '))) end = head;
  const kept = lines.slice(0, end).join('\n').trim();
  return kept === '' ? text.trim() : kept;
}
