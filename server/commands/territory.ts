import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../shared/refusal.ts';
import { openTerritory } from '../geo/territory/index.ts';
import { InvalidSetting } from '../config/index.ts';
import { controlClient, type Ask } from './link.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = 'Usage: waypost territory list, waypost territory from STATION, or waypost territory back [--data DIR].';
/** ms between two looks at the progress. */
const LOOK_EVERY = 500;

interface Offered {
  readonly link: number;
  readonly station: { readonly name: string };
  readonly territory: { readonly name: string; readonly size: number } | null;
  readonly isHere: boolean;
}

interface Progress {
  readonly name?: string;
  readonly import: { readonly state: string; readonly done: number; readonly error: string | null } | null;
}

/**
 * `waypost territory`: takes over the territory of a linked station, through the station that runs; or goes
 * back to the previous one, also without a station.
 */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {});
  const [action, name] = positionals;
  if (action === 'back' && positionals.length === 1) return goBack(dataDirectoryOf(values.data));
  if ((action !== 'list' || positionals.length !== 1) && (action !== 'from' || positionals.length !== 2))
    throw new InvalidSetting(USAGE);
  const ask = controlClient(dataDirectoryOf(values.data));
  const offered = await ask<Offered[]>('GET', '/territory/stations');
  if (action === 'list') return printOffered(offered);
  const found = offered.find(({ link, station }) => station.name === name || String(link) === name);
  if (!found) throw new Refusal('commands.noLinkedStation', { name: name! });
  await ask('POST', '/territory', { link: found.link });
  await follow(ask);
}

/** A station that runs on the same directory switches by itself, as after an import. */
async function goBack(data: string): Promise<void> {
  const territory = await openTerritory(join(data, 'territory'), { lookEvery: 0, onlyImports: true });
  try {
    const { name, importedAt } = await territory.goBack();
    console.log(`${name} is in use again, as imported on ${new Date(importedAt).toISOString().slice(0, 10)}.`);
  } finally {
    await territory.close();
  }
}

function printOffered(offered: readonly Offered[]): void {
  if (offered.length === 0) console.log('No linked station is connected.');
  for (const { station, territory, isHere } of offered)
    console.log(
      territory
        ? `${station.name}: ${territory.name}, ${(territory.size / 1e6).toFixed(1)} MB${isHere ? '; it is here already' : ''}`
        : `${station.name}: no territory`,
    );
}

/** Until it is in place. Ctrl+C ends the command, and not the take-over. */
async function follow(ask: Ask): Promise<void> {
  let shown = -1;
  for (;;) {
    const { name, import: now } = await ask<Progress>('GET', '/territory');
    const percent = Math.floor((now?.done ?? 0) * 100);
    if (percent !== shown) console.error(`  ${percent} %`);
    shown = percent;
    if (now?.state === 'done') return console.log(`${name} is in place.`);
    if (now?.state === 'cancelled' || now?.state === 'failed')
      throw new Refusal('commands.territoryEnded', { fault: now.error ?? 'It was cancelled.' });
    await pause(LOOK_EVERY);
  }
}
