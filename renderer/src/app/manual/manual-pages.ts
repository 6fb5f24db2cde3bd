import { isChapter, type Chapter } from './chapters.ts';

const PAGES = import.meta.glob<string>('../../../../resources/manual/*/*.md', { query: '?raw', import: 'default' });
const PICTURES = import.meta.glob<string>('../../../../resources/manual/*/*.webp', {
  query: '?url',
  import: 'default',
});

const fileOf = (language: string, chapter: Chapter) => `../../../../resources/manual/${language}/${chapter}.md`;

export function readManual(language: string, chapter: Chapter): Promise<string> {
  return PAGES[fileOf(language, chapter)]!();
}

/** The address of a picture of the manual, such as `board.webp`, or undefined. */
export function pictureOf(language: string, name: string): Promise<string> | undefined {
  return PICTURES[`../../../../resources/manual/${language}/${name}`]?.();
}

/** The titles of all chapters, in a language. */
export async function readTitles(language: string): Promise<ReadonlyMap<Chapter, string>> {
  const titles = new Map<Chapter, string>();
  for (const [file, read] of Object.entries(PAGES)) {
    const [, ofLanguage, chapter] = /([a-z]+)\/([^/]+)\.md$/.exec(file)!;
    if (ofLanguage !== language || !isChapter(chapter!)) continue;
    titles.set(chapter, /^# (.+)$/m.exec(await read())?.[1] ?? chapter);
  }
  return titles;
}

/** Fetches all pages, so that they can be read while the station is away. */
export async function fetchManual(): Promise<void> {
  for (const read of Object.values(PAGES)) await read().catch(() => undefined);
}
