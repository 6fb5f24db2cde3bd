import { createInterface } from 'node:readline/promises';
import { InvalidSetting } from '../config/index.ts';
import { controlClient, clockText } from './link.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = 'Usage: waypost promote [--confirm NAME] [--data DIR]. NAME is the station that this one replaces.';

interface Standby {
  readonly station: { readonly name: string };
  readonly isConnected: boolean;
  readonly behind: number | null;
  readonly lastContact: number | null;
}

interface Promotion {
  readonly missing: {
    readonly confirmedAt: number | null;
    readonly lastContact: number | null;
    readonly seconds: number | null;
    readonly records: number;
    readonly files: number;
    readonly positions: number;
  };
}

/** `waypost promote`: a standby leads, in place of the station that it follows. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { confirm: { type: 'string' } });
  if (positionals.length > 0) throw new InvalidSetting(USAGE);
  const ask = controlClient(dataDirectoryOf(values.data));
  const standby = await ask<Standby>('GET', '/standby');
  const { name } = standby.station;
  const confirm = values.confirm ?? (await askName(standby));
  const { missing } = await ask<Promotion>('POST', '/standby/promotion', { confirm });
  console.log(`This station leads now, in place of ${name}.`);
  console.log(wordsFor(name, missing));
  console.log(`When ${name} comes back, both merge what only one of them has.`);
}

function wordsFor(
  name: string,
  { confirmedAt, lastContact, seconds, records, files, positions }: Promotion['missing'],
): string {
  const contact = lastContact === null ? 'never' : clockText(lastContact);
  const known = `Known to be missing: ${records} records, ${files} files, ${positions} positions.`;
  if (confirmedAt === null)
    return `The last contact with ${name} was ${contact}. ${known} The first copy was not complete.`;
  return `The last contact with ${name} was ${contact}. Everything up to ${clockText(confirmedAt)} is here. What ${name} wrote in the ${seconds} s since then may be missing. ${known}`;
}

async function askName({ station: { name }, isConnected }: Standby): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const warning = isConnected ? ` ${name} is connected: both would lead.` : '';
  try {
    return await Promise.race([
      lines.question(
        `This station is going to lead, in place of ${name}.${warning} Type the name of the station that it replaces: `,
      ),
      new Promise<string>((_resolve, reject) =>
        lines.once('close', () => reject(new InvalidSetting(`No name was given. ${USAGE}`))),
      ),
    ]);
  } finally {
    lines.close();
  }
}
