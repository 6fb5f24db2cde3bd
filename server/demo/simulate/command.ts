import { parseArgs } from 'node:util';
import { Refusal } from '../../../shared/refusal.ts';
import { simulate } from './simulate.ts';
import { StationRefused, type StationAddress } from './station-client.ts';

/**
 * `waypost simulate [--vehicles N] [--rate HZ] [--speed-up N] [--url URL --token TOKEN]`: drives until a
 * signal.
 * @param running finds the station that runs on this machine's data directory, or undefined
 */
export async function simulateCommand(
  words: readonly string[],
  running: () => StationAddress | undefined,
  signal: AbortSignal,
  say: (message: string) => void,
): Promise<void> {
  const { values } = parse(words);
  const { url, token } = values;
  if ((url === undefined) !== (token === undefined)) throw new Refusal('commands.urlAndToken');
  const station = url !== undefined && token !== undefined ? () => ({ url, token }) : running;
  if (!station()) throw new Refusal('commands.noStation');
  const speedUp = numberOf('--speed-up', values['speed-up'], 0.1, 100);
  if (speedUp !== undefined && speedUp > 1)
    say('Times run ahead of the clock: the station takes them as far as its setting telemetry.futureLimit.');
  const simulation = simulate(
    {
      station,
      say,
      vehicles: numberOf('--vehicles', values.vehicles, 1, 100_000),
      rate: numberOf('--rate', values.rate, 0.01, 10),
      speedUp,
      seed: numberOf('--seed', values.seed, 0, 2 ** 31),
    },
    signal,
  );
  await simulation.catch((error: unknown) => {
    throw error instanceof StationRefused
      ? new Refusal('commands.stationRefused', { fault: error.message }, { cause: error })
      : error;
  });
}

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...words],
      options: {
        'vehicles': text,
        'rate': text,
        'speed-up': text,
        'seed': text,
        'url': text,
        'token': text,
        'data': text,
      },
      strict: true,
    });
  } catch (error) {
    throw new Refusal('commands.wrong', { problem: (error as Error).message.split('. ', 1)[0]! });
  }
}

function numberOf(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most))
    throw new Refusal('commands.number', { name, least, most, text });
  return value;
}
