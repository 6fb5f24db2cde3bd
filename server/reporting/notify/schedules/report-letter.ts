import { ZonedTime } from '../../../../shared/zoned-time.ts';
import type { Language, ReportKind } from '../../reports/index.ts';
import type { ScheduleFields } from './schedule.ts';

interface LetterWords {
  readonly period: string;
  readonly attached: string;
  readonly tooLarge: string;
  readonly foot: string;
}

const WORDS: Readonly<Record<Language, LetterWords>> = {
  en: {
    period: 'Period',
    attached: 'The report is attached.',
    tooLarge: 'The report is too large for a mail. Make it on the page Reports, for fewer vehicles or a shorter time.',
    foot: 'You get this mail because the report is sent at set times. An administrator can take you off its list.',
  },
  ru: {
    period: 'Период',
    attached: 'Отчёт во вложении.',
    tooLarge:
      'Отчёт слишком велик для письма. Сделайте его на странице «Отчёты»: для меньшего числа машин или за меньший срок.',
    foot: 'Вы получили это письмо, потому что отчёт рассылается по расписанию. Администратор может исключить вас из списка.',
  },
};
const FILE_NAMES: Readonly<Record<ReportKind, string>> = {
  mileage: 'mileage',
  stops: 'stops',
  fuel: 'fuel',
  speeding: 'speeding',
  geozones: 'geozones',
  routes: 'routes',
  tasks: 'tasks',
};

/** The mail around a report, and the name of its file. */
export function reportLetter(
  { name, report, form, language, zone }: ScheduleFields,
  title: string,
  { from, until }: { from: number; until: number },
  isAttached: boolean,
): { subject: string; text: string; fileName: string } {
  const time = new ZonedTime(zone);
  const dayOf = (instant: number) => time.text(instant).slice(0, 10);
  // The last day is in the report; its midnight is not.
  const [first, last] = [dayOf(from), dayOf(until - 1)];
  const span = first === last ? first : `${first} – ${last}`;
  const words = WORDS[language];
  return {
    subject: `${name}: ${span}`.replace(/\s+/g, ' '),
    text: [
      title,
      `${words.period}: ${span} (${time.zone}, ${time.name(from)})`,
      '',
      isAttached ? words.attached : words.tooLarge,
      '',
      '—',
      words.foot,
    ].join('\n'),
    fileName: `${FILE_NAMES[report]}-${isoDay(time, from)}-${isoDay(time, until - 1)}.${form}`,
  };
}

function isoDay(time: ZonedTime, instant: number): string {
  return time.wall(instant).toISOString().slice(0, 10);
}
