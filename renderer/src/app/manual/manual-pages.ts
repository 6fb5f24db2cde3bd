const PAGES = import.meta.glob<string>('../../../../resources/manual/*/*.md', { query: '?raw', import: 'default' });

const fileOf = (language: string, page: string) => `../../../../resources/manual/${language}/${page}.md`;

/** The page of the manual about a path of the console, such as `/stations`; undefined: there is none yet. */
export function manualPageOf(path: string): string | undefined {
  const page = path.split('/')[1] ?? '';
  return fileOf('en', page) in PAGES ? page : undefined;
}

export function readManual(language: string, page: string): Promise<string> {
  return PAGES[fileOf(language, page)]!();
}

/** Fetches all pages, so that they can be read while the station is away. */
export async function fetchManual(): Promise<void> {
  for (const read of Object.values(PAGES)) await read().catch(() => undefined);
}
