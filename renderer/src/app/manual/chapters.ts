/** Chapters of the manual in reading order. Each is `resources/manual/LANGUAGE/CHAPTER.md`. */
export const CHAPTERS = {
  operators: [
    'board',
    'call',
    'alarms',
    'vehicles',
    'events',
    'crews',
    'shift',
    'routes',
    'archive',
    'reports',
    'shortcuts',
  ],
  administrators: [
    'install',
    'first-run',
    'consoles',
    'people',
    'directories',
    'fleet',
    'imports',
    'trackers',
    'territory',
    'places',
    'stations',
    'backup',
    'network',
    'programs',
    'warnings',
    'monitoring',
    'update',
    'sizing',
    'region',
    'trouble',
  ],
} as const;
export type ChapterGroup = keyof typeof CHAPTERS;
export type Chapter = (typeof CHAPTERS)[ChapterGroup][number];

/** The chapter about a page of the console, by the first word of its path. */
const OF_PATH: Readonly<Record<string, Chapter>> = {
  '': 'board',
  'map': 'board',
  'units': 'vehicles',
  'vehicles': 'vehicles',
  'alarms': 'alarms',
  'events': 'events',
  'reports': 'reports',
  'report-mail': 'reports',
  'statistics': 'reports',
  'shift': 'shift',
  'routes': 'routes',
  'archive': 'archive',
  'settings': 'board',
  'stations': 'stations',
  'sign-in': 'board',
  'first-run': 'first-run',
  'administration': 'directories',
  'types': 'directories',
  'type-groups': 'directories',
  'categories': 'directories',
  'statuses': 'directories',
  'custom-fields': 'directories',
  'departments': 'people',
  'users': 'people',
  'rights': 'people',
  'states': 'people',
  'audit': 'people',
  'fleet': 'fleet',
  'crews': 'crews',
  'sms': 'crews',
  'exchange': 'network',
  'mailbox': 'programs',
  'warning-feeds': 'warnings',
  'mail': 'directories',
  'post': 'directories',
  'imports': 'imports',
  'webhooks': 'programs',
  'quarantine': 'trackers',
  'log': 'trouble',
  'backups': 'backup',
  'speeds': 'territory',
  'own-places': 'places',
  'territory': 'territory',
};

/** The chapter about a path of the console, such as `/stations`. */
export function chapterOf(path: string): Chapter {
  return OF_PATH[path.split('/')[1] ?? ''] ?? 'board';
}

/** Whether a link of the manual names a chapter. */
export function isChapter(name: string): name is Chapter {
  return Object.values(CHAPTERS).some((group) => (group as readonly string[]).includes(name));
}
