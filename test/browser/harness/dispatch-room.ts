import type { Browser, BrowserContext, Page } from 'playwright';
import { askStation } from './ask-station.ts';
import { launchChromium } from './chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from './console-harness.ts';

/** One person at a console. */
export interface Desk {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: () => string[];
}

/** A station with dispatchers and open tasks, and the browser for their consoles. */
export interface DispatchRoom {
  readonly station: RunningStation;
  readonly browser: Browser;
  /** Asks the station as its administrator. */
  readonly ask: (method: string, path: string, body?: unknown) => ReturnType<typeof askStation>;
  openDesk(login: string): Promise<Desk>;
  close(): Promise<void>;
}

/** @param people login and name of each dispatcher; the password is the login twice, with a hyphen */
export async function openDispatchRoom(
  people: readonly (readonly [login: string, name: string])[],
  titles: readonly string[],
): Promise<DispatchRoom> {
  const [station, browser] = await Promise.all([
    startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' }),
    launchChromium(),
  ]);
  const login = { login: 'admin', password: 'admin-admin' };
  const { token } = await askStation(station, undefined, 'POST', '/auth/login', login);
  const ask: DispatchRoom['ask'] = (method, path, body) => askStation(station, token, method, path, body);
  const roles: { id: number; name: string }[] = await ask('GET', '/rights');
  const groupId = roles.find(({ name }) => name === 'Dispatcher')!.id;
  for (const [login, fio] of people)
    await ask('POST', '/users', { login, fio, password: `${login}-${login}`, groupId });
  for (const title of titles) await ask('POST', '/news/', { values: { title, news_type_id: 1 } });
  return {
    ...{ station, browser, ask },
    openDesk: (login) => openDesk(station, browser, login),
    close: async () => {
      await browser.close();
      await station.stop();
    },
  };
}

async function openDesk(station: RunningStation, browser: Browser, login: string): Promise<Desk> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults = watchForFaults(context, station.address);
  await enter(page, station.address, login, `${login}-${login}`);
  await page.locator('.light[data-level=good]').waitFor();
  return { page, context, faults };
}

export async function openCard({ page }: Desk, title: string): Promise<void> {
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').filter({ hasText: title }).click();
  await page.locator('.card').waitFor();
}
