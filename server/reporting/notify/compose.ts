import { shortened } from '../../../shared/text/characters.ts';
import type { Comment, HistoryEntry, Task } from '../../../shared/records/index.ts';
import { dateOf, WORDS, type Language } from '../reports/index.ts';

/** An event of a message that a notice tells of. */
export interface Occasion {
  /** Empty: it was not assigned. */
  readonly assignedTo: string;
  /** The status it has now; 0: it did not change. */
  readonly status: number;
  readonly comment: { readonly author: string; readonly text: string } | undefined;
  readonly by: string;
  readonly at: number;
}

/** The changes that cause a notice: assignment and status. Undefined when there are none. */
export function occasionOf(
  entries: readonly Pick<HistoryEntry, 'field' | 'to' | 'at'>[],
  names: { assignedTo: string; by: string },
): Occasion | undefined {
  const assigned = entries.some(
    ({ field, to }) => (field === 'assignedOrganizationId' || field === 'assignedUserId') && to !== 0,
  );
  const status = entries.find(({ field }) => field === 'status')?.to;
  if (!assigned && typeof status !== 'number') return undefined;
  return {
    assignedTo: assigned ? names.assignedTo : '',
    status: typeof status === 'number' ? status : 0,
    comment: undefined,
    by: names.by,
    at: entries[0]!.at,
  };
}

/** Why somebody gets a notice: the task asks for it, they watch it, or the comment names them. */
export type NoticeReason = 'asked' | 'watching' | 'named';

interface Template {
  subject(id: number, title: string, occasion: Occasion): string;
  named(id: number, title: string, author: string): string;
  readonly assigned: string;
  readonly status: string;
  readonly comment: string;
  readonly by: string;
  readonly address: string;
  readonly foot: Readonly<Record<NoticeReason, string>>;
}

const TEMPLATES: Readonly<Record<Language, Template>> = {
  en: {
    subject: (id, title, occasion) =>
      `Task ${id}: ${occasion.comment ? 'a comment' : occasion.assignedTo ? 'assigned' : WORDS.en.statuses[occasion.status]!.toLowerCase()} (${title})`,
    named: (id, title, author) => `Task ${id}: ${author} named you in a comment (${title})`,
    assigned: 'The task is assigned to',
    status: 'Its status is now',
    comment: 'wrote',
    by: 'Changed by',
    address: 'Where',
    foot: {
      asked:
        'You get this notice because the task asks for it to be sent to its author and to those it is assigned to.',
      watching: 'You get this notice because you watch the task.',
      named: 'You get this notice because the comment names you. You watch the task from now on.',
    },
  },
  ru: {
    subject: (id, title, occasion) =>
      `Задача ${id}: ${occasion.comment ? 'комментарий' : occasion.assignedTo ? 'назначена' : WORDS.ru.statuses[occasion.status]!.toLowerCase()} (${title})`,
    named: (id, title, author) => `Задача ${id}: ${author} упоминает вас в комментарии (${title})`,
    assigned: 'Задача назначена:',
    status: 'Её статус теперь:',
    comment: 'пишет',
    by: 'Изменил(а)',
    address: 'Где',
    foot: {
      asked: 'Вы получили это уведомление, потому что задача велит сообщать автору и исполнителям.',
      watching: 'Вы получили это уведомление, потому что следите за задачей.',
      named: 'Вы получили это уведомление, потому что вас упомянули в комментарии. Теперь вы следите за задачей.',
    },
  },
};

/** Characters of a subject, and of a message's text: the rest is read at the task. */
const LONGEST_SUBJECT = 250;
const LONGEST_TEXT = 4_000;

/** Subject and text of a notice. */
export function compose(
  task: Pick<Task, 'id' | 'title' | 'text' | 'address' | 'date'>,
  occasion: Occasion,
  language: Language,
  reason: NoticeReason = 'asked',
): { subject: string; text: string } {
  const words = TEMPLATES[language];
  const opening = occasion.comment
    ? [`${occasion.comment.author} ${words.comment}:`, '', occasion.comment.text]
    : [
        occasion.assignedTo && `${words.assigned} ${occasion.assignedTo}.`,
        occasion.status > 0 && `${words.status} ${WORDS[language].statuses[occasion.status]!.toLowerCase()}.`,
        occasion.by && `${words.by}: ${occasion.by}, ${dateOf(occasion.at)}.`,
      ].filter((line) => typeof line === 'string' && line !== '');
  const about = [
    task.title,
    task.address && `${words.address}: ${task.address}`,
    `${WORDS[language].received}: ${dateOf(task.date)}`,
    task.text && `\n${shortened(task.text, LONGEST_TEXT)}`,
  ].filter(Boolean);
  const subject =
    reason === 'named' ? words.named(task.id, task.title, occasion.by) : words.subject(task.id, task.title, occasion);
  return {
    subject: shortened(subject.replace(/\s+/g, ' '), LONGEST_SUBJECT),
    text: [...opening, '', ...about, '', '—', words.foot[reason]].join('\n'),
  };
}

/** The recipient of a notice. An organization has no user. */
export interface Recipient {
  readonly userId: number;
  readonly name: string;
  readonly mail: string;
  /** Postal address. */
  readonly address: string;
}

/** The assignee, the assigned department and the author; each address once. */
export function recipientsOf(
  task: Pick<Task, 'assignedUserId' | 'assignedOrganizationId' | 'authorId'>,
  find: { user(id: number): Recipient | undefined; organization(id: number): Recipient | undefined },
): Recipient[] {
  const all = [
    find.user(task.assignedUserId),
    find.organization(task.assignedOrganizationId),
    find.user(task.authorId),
  ].filter((one) => one !== undefined);
  return all.filter((one, index) => !all.slice(0, index).some((before) => isSame(before, one)));
}

/** The same person or address. Organizations without an address stay apart, so that each counts as failed. */
export function isSame(one: Recipient, other: Recipient): boolean {
  return (
    (one.userId !== 0 && other.userId === one.userId) ||
    (one.mail !== '' && other.mail.toLowerCase() === one.mail.toLowerCase())
  );
}

/** A department reads what everybody, or the administrators of the assigned department, may read. */
export function organizationReads({ visibleTo }: Pick<Comment, 'visibleTo'>): boolean {
  return visibleTo.all || visibleTo.assignedOrganization;
}
