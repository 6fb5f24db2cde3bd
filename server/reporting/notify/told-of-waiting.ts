import { shortened } from '../../../shared/text/characters.ts';
import type { Task } from '../../../shared/records/index.ts';
import { dateOf, languageOf, type Language } from '../reports/index.ts';

interface Words {
  subject(id: number, title: string, minutes: number): string;
  sentence(minutes: number): string;
  readonly address: string;
  readonly since: string;
  readonly foot: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: (id, title, minutes) => `Task ${id}: nobody sent for ${minutes} min (${title})`,
    sentence: (minutes) => `Nobody was sent to this task for ${minutes} min.`,
    address: 'Where',
    since: 'It waits since',
    foot: 'You get this mail because the response plan of the task tells your organisation of it.',
  },
  ru: {
    subject: (id, title, minutes) => `Задача ${id}: ${minutes} мин никто не послан (${title})`,
    sentence: (minutes) => `К этой задаче ${minutes} мин никто не послан.`,
    address: 'Где',
    since: 'Ждёт с',
    foot: 'Вы получили это письмо, потому что план реагирования велит сообщать вашей организации.',
  },
};

const LONGEST_SUBJECT = 250;
const MINUTE = 60_000;

/** The mail about a task that nobody was sent to since then. */
export function mailOfWaiting(
  task: Pick<Task, 'id' | 'title' | 'text' | 'address'>,
  since: number,
  now: number,
): { subject: string; text: string } {
  const words = WORDS[languageOf(task.title, task.text)];
  const minutes = Math.max(1, Math.round((now - since) / MINUTE));
  const about = [task.title, task.address && `${words.address}: ${task.address}`, `${words.since} ${dateOf(since)}.`];
  return {
    subject: shortened(words.subject(task.id, task.title, minutes).replace(/\s+/g, ' '), LONGEST_SUBJECT),
    text: [words.sentence(minutes), '', ...about.filter(Boolean), '', '—', words.foot].join('\n'),
  };
}
