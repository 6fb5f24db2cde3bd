import { InvalidSetting } from '../config/index.ts';
import { findControl } from '../control.ts';
import { Refusal } from '../../shared/refusal.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = 'Usage: waypost health [--data DIR].';

/**
 * `waypost health`: the health of the station that runs on the data directory. Exit code 0: it answers, also
 * when degraded, since a restart would not help.
 */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {});
  if (positionals.length > 0) throw new InvalidSetting(USAGE);
  const data = dataDirectoryOf(values.data);
  const control = findControl(data);
  if (!control) throw new Refusal('commands.notRunning', { data });
  const { address } = control;
  const said = await healthAt(address).catch((error: Error) => {
    throw new Refusal('commands.noAnswer', { data, address }, { cause: error });
  });
  console.log(said);
}

/** Health of the station at `address`, as one line for a person. Throws when it does not answer in 5 s. */
export async function healthAt(address: string): Promise<string> {
  const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`The station answers ${response.status}.`);
  return describeHealth((await response.json()) as HealthAnswer);
}

interface HealthAnswer {
  readonly status: string;
  readonly problems?: readonly { readonly text: string }[];
  readonly version: string;
  readonly station: { readonly name: string };
  readonly standby: { readonly of: string } | null;
  readonly territory: { readonly name: string } | null;
}

function describeHealth({ status, problems = [], version, station, standby, territory }: HealthAnswer): string {
  const parts = [
    `Waypost ${version} (${station.name}): ${status}`,
    ...(standby ? [`standby of ${standby.of}`] : []),
    territory ? `territory ${territory.name}` : 'no territory',
    ...problems.map(({ text }) => text),
  ];
  return parts.join('; ');
}
