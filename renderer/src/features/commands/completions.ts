import { fold } from '../../../../shared/text/fold.ts';
import { VERBS, type CommandContext, type CommandProblem, type Verb } from './commands.ts';

/** A completion: the whole line, and the added words. */
export interface Completion {
  readonly line: string;
  readonly title: string;
  readonly detail: string;
}

const MOST = 6;

/** Lines that complete this one with the missing parts. */
export function completions(line: string, doubt: CommandProblem, around: CommandContext): readonly Completion[] {
  const [verb = '', ...others] = line.trim().split(/\s+/);
  const rest = others.join(' ');
  switch (doubt.kind) {
    case 'ambiguousCommand':
      return doubt.names.map((name) => ({ line: `${name} `, title: name, detail: VERBS[name as Verb] }));
    case 'severalVehicles':
      return vehicles(verb, rest, around);
    case 'noStatus':
      return statuses(line.trim().slice(0, -doubt.text.length).trimEnd(), around, fold(doubt.text));
    case 'noVehicle':
      return vehicles(verb, doubt.text, around);
    case 'needs':
      if (doubt.what === 'vehicle') return vehicles(verb, '', around);
      if (doubt.what === 'status') return statuses(line.trim(), around, '');
      return doubt.what === 'task' ? tasks(line.trim(), around) : [];
    default:
      return [];
  }
}

function vehicles(verb: string, text: string, { vehicles: all }: CommandContext): readonly Completion[] {
  const asked = plain(text);
  return all
    .filter(({ name, plate }) => plain(name).startsWith(asked) || plain(plate).startsWith(asked))
    .slice(0, MOST)
    .map(({ name, plate }) => ({ line: `${verb} ${name} `, title: name, detail: plate }));
}

function statuses(before: string, { statusNames }: CommandContext, asked: string): readonly Completion[] {
  return statusNames
    .filter(({ names }) => names.some((name) => fold(name).startsWith(asked)))
    .map(({ status, names }) => ({ line: `${before} ${status}`, title: names[0] ?? '', detail: String(status) }));
}

function tasks(before: string, { openTasks }: CommandContext): readonly Completion[] {
  return openTasks
    .slice(0, MOST)
    .map(({ id, title }) => ({ line: `${before} ${isAssign(before) ? 't ' : ''}${id}`, title, detail: `#${id}` }));
}

const isAssign = (line: string) => /^a(?:s(?:s(?:i(?:g(?:n)?)?)?)?)?\s/i.test(line);
const plain = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '');
