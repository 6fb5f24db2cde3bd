import { fold } from '../../../../shared/text/fold.ts';

interface KnownVehicle {
  readonly id: number;
  readonly name: string;
  readonly plate: string;
}
interface KnownTask {
  readonly id: number;
  readonly title: string;
}

/** Records that the command line may speak about. */
export interface CommandContext {
  readonly vehicles: readonly KnownVehicle[];
  taskById(id: number): KnownTask | undefined;
  readonly chosenTask: KnownTask | undefined;
  /** The most urgent ones, to choose from. */
  readonly openTasks: readonly KnownTask[];
  /** The names of the crews' statuses, in each language. */
  readonly statusNames: readonly { readonly status: number; readonly names: readonly string[] }[];
  /** The task at which the vehicle has not arrived, so that it cannot have this status yet. */
  barredBy(vehicleId: number, status: number): KnownTask | undefined;
}

/** Effect of Enter. */
export type Command =
  | { kind: 'assign'; vehicle: KnownVehicle; task: KnownTask }
  | { kind: 'unitStatus'; vehicle: KnownVehicle; status: number }
  | { kind: 'done'; task: KnownTask }
  | { kind: 'feedback'; task: KnownTask }
  | { kind: 'reopen'; task: KnownTask }
  | { kind: 'go'; query: string }
  | { kind: 'new'; title: string }
  | { kind: 'comment'; task: KnownTask; text: string }
  | { kind: 'message'; vehicle: KnownVehicle; text: string }
  | { kind: 'filter'; words: string }
  | { kind: 'closure'; name: string }
  | { kind: 'openTask'; task: KnownTask }
  | { kind: 'showVehicle'; vehicle: KnownVehicle };

/** Why it is not a command yet, or cannot be: for the preview. */
export type CommandProblem =
  | { kind: 'empty' }
  | { kind: 'unknownCommand'; word: string }
  | { kind: 'ambiguousCommand'; names: readonly string[] }
  | { kind: 'needs'; what: 'vehicle' | 'task' | 'status' | 'query' | 'text' }
  | { kind: 'noVehicle'; text: string }
  | { kind: 'severalVehicles'; names: readonly string[] }
  | { kind: 'noTask'; text: string }
  | { kind: 'noStatus'; text: string }
  | { kind: 'notArrived'; vehicle: KnownVehicle; task: KnownTask };

export type ParsedCommand =
  { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly doubt: CommandProblem };

/**
 * The words that begin a line. Each may be shortened while it is unambiguous. A single letter has a fixed
 * meaning.
 */
export const VERBS = {
  assign: 'a',
  status: 's',
  done: 'd',
  feedback: 'f',
  reopen: 'r',
  go: 'g',
  new: 'n',
  task: 't',
  vehicle: 'v',
  comment: 'c',
  message: 'm',
  filter: 'q',
  closure: 'x',
} as const;
export type Verb = keyof typeof VERBS;

/**
 * Reads a line such as `a van 7 t 123`, `s van7 3`, `d 123`, `go high street`, `n fire`. Nothing is done
 * here.
 */
export function parseCommand(line: string, around: CommandContext): ParsedCommand {
  const text = line.trim();
  if (!text) return doubt({ kind: 'empty' });
  const [first = '', ...others] = text.split(/\s+/);
  const verb = verbOf(fold(first));
  if (typeof verb !== 'string')
    return verb.length > 0
      ? doubt({ kind: 'ambiguousCommand', names: verb })
      : doubt({ kind: 'unknownCommand', word: first });
  const rest = others.join(' ');
  switch (verb) {
    case 'assign':
      return assign(rest, around);
    case 'status':
      return unitStatus(rest, around);
    case 'done':
    case 'feedback':
    case 'reopen':
      return withTask(rest, around, (task) => done({ kind: verb, task }));
    case 'task':
      return withTask(rest, around, (task) => done({ kind: 'openTask', task }));
    case 'vehicle':
      return withVehicle(rest, around, (vehicle) => done({ kind: 'showVehicle', vehicle }));
    case 'go':
      return rest ? done({ kind: 'go', query: rest }) : doubt({ kind: 'needs', what: 'query' });
    case 'new':
      return done({ kind: 'new', title: rest });
    case 'comment':
      return comment(others, around);
    case 'message':
      return message(others, around);
    case 'filter':
      return done({ kind: 'filter', words: rest });
    case 'closure':
      return done({ kind: 'closure', name: rest });
  }
}

function assign(rest: string, around: CommandContext): ParsedCommand {
  const parts = /^(.*?)(?:\s+(?:t|task)\s*(\d+))?$/i.exec(rest)!;
  return withVehicle(parts[1]!, around, (vehicle) =>
    withTask(parts[2] ?? '', around, (task) => done({ kind: 'assign', vehicle, task })),
  );
}

function unitStatus(rest: string, around: CommandContext): ParsedCommand {
  const parts = /^(.*\S)\s+(\S+)$/.exec(rest);
  if (!parts)
    return rest
      ? withVehicle(rest, around, () => doubt({ kind: 'needs', what: 'status' }))
      : doubt({ kind: 'needs', what: 'vehicle' });
  // "s ladder 1" names Ladder 1, which still lacks its status, rather than status 1 for what begins with
  // "ladder".
  if (around.vehicles.some((vehicle) => spaced(vehicle.name) === spaced(rest)))
    return doubt({ kind: 'needs', what: 'status' });
  if (/^\d$/.test(parts[2]!))
    return withVehicle(parts[1]!, around, (vehicle) => toStatus(vehicle, Number(parts[2]), around));
  return (
    namedStatus(rest, around) ?? withVehicle(parts[1]!, around, () => doubt({ kind: 'noStatus', text: parts[2]! }))
  );
}

/** `van 7 on scene`: the longest beginning that names one vehicle, and a status by its name, also shortened. */
function namedStatus(rest: string, around: CommandContext): ParsedCommand | undefined {
  const tokens = rest.split(/\s+/);
  for (let split = tokens.length - 1; split > 0; split--) {
    const text = tokens.slice(0, split).join(' ');
    const status =
      find(text, around.vehicles).length > 0 ? statusNamed(tokens.slice(split).join(' '), around) : undefined;
    if (status !== undefined) return withVehicle(text, around, (vehicle) => toStatus(vehicle, status, around));
  }
  return undefined;
}

function statusNamed(text: string, { statusNames }: CommandContext): number | undefined {
  const asked = spaced(text);
  const named = (isIt: (name: string) => boolean) => statusNames.filter(({ names }) => names.map(spaced).some(isIt));
  const whole = named((name) => name === asked);
  const possible = whole.length > 0 ? whole : named((name) => name.startsWith(asked));
  return possible.length === 1 ? possible[0]!.status : undefined;
}

/** `c 123 text`, or of the chosen task `c text`. */
function comment(tokens: readonly string[], around: CommandContext): ParsedCommand {
  const number = /^(?:t|#)?(\d{1,10})$/i.exec(tokens[0] ?? '')?.[1];
  const named = number === undefined ? undefined : around.taskById(Number(number));
  const text = (named ? tokens.slice(1) : tokens).join(' ');
  return withTask(named ? number! : '', around, (task) =>
    text ? done({ kind: 'comment', task, text }) : doubt({ kind: 'needs', what: 'text' }),
  );
}

/** `m van 7 text`: the longest beginning that names one vehicle. */
function message(tokens: readonly string[], around: CommandContext): ParsedCommand {
  for (let split = tokens.length; split > 0; split--) {
    const asked = plain(tokens.slice(0, split).join(' '));
    const named = around.vehicles.filter(({ name, plate }) => plain(name) === asked || plain(plate) === asked);
    const [vehicle, another] = named.length > 0 ? named : shortened(asked, around.vehicles);
    if (!vehicle || another) continue;
    const text = tokens.slice(split).join(' ');
    return text ? done({ kind: 'message', vehicle, text }) : doubt({ kind: 'needs', what: 'text' });
  }
  return withVehicle(tokens.join(' '), around, () => doubt({ kind: 'needs', what: 'text' }));
}

function toStatus(vehicle: KnownVehicle, status: number, around: CommandContext): ParsedCommand {
  const task = around.barredBy(vehicle.id, status);
  return task ? doubt({ kind: 'notArrived', vehicle, task }) : done({ kind: 'unitStatus', vehicle, status });
}

function withTask(text: string, around: CommandContext, then: (task: KnownTask) => ParsedCommand): ParsedCommand {
  if (!text) return around.chosenTask ? then(around.chosenTask) : doubt({ kind: 'needs', what: 'task' });
  const number = /^(?:t(?:ask)?\s*|#)?(\d{1,10})$/i.exec(text)?.[1];
  const task = number === undefined ? undefined : around.taskById(Number(number));
  return task ? then(task) : doubt({ kind: 'noTask', text });
}

function withVehicle(
  text: string,
  around: CommandContext,
  then: (vehicle: KnownVehicle) => ParsedCommand,
): ParsedCommand {
  if (!text) return doubt({ kind: 'needs', what: 'vehicle' });
  const found = find(text, around.vehicles);
  if (found.length === 0) return doubt({ kind: 'noVehicle', text });
  if (found.length > 1)
    return doubt({ kind: 'severalVehicles', names: found.slice(0, 5).map((vehicle) => vehicle.name) });
  return then(found[0]!);
}

/**
 * `van7`, `Van 7` and `ван 7` are one call sign. A full name or plate wins over prefixes. A prefix of a plate
 * loses against a call sign that `v7` shortens: crews say call signs, not plates.
 */
function find(text: string, vehicles: readonly KnownVehicle[]): readonly KnownVehicle[] {
  const asked = plain(text);
  if (!asked) return [];
  const whole = vehicles.filter(({ name, plate }) => plain(name) === asked || plain(plate) === asked);
  if (whole.length > 0) return whole;
  const short = shortened(asked, vehicles);
  return vehicles.filter(
    (vehicle) =>
      plain(vehicle.name).startsWith(asked) ||
      (short.length > 0 ? short.includes(vehicle) : plain(vehicle.plate).startsWith(asked)),
  );
}

/** `v7` is Van 7, and not Van 71: the first letters of the word, and the full number. */
function shortened(asked: string, vehicles: readonly KnownVehicle[]): readonly KnownVehicle[] {
  const parts = /^(\p{L}+)(\d+)$/u.exec(asked);
  if (!parts) return [];
  return vehicles.filter(({ name }) => {
    const known = /^(\p{L}+)(\d+)$/u.exec(plain(name));
    return known !== null && known[2] === parts[2] && known[1]!.startsWith(parts[1]!);
  });
}

const spaced = (text: string) => fold(text).trim().replace(/\s+/g, ' ');
const plain = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '');

/** The verb, or those that it could still become. */
function verbOf(word: string): Verb | readonly Verb[] {
  const verbs = Object.keys(VERBS) as Verb[];
  const short = verbs.find((verb) => VERBS[verb] === word || verb === word);
  if (short) return short;
  const possible = verbs.filter((verb) => verb.startsWith(word));
  return possible.length === 1 ? possible[0]! : possible;
}

const done = (command: Command): ParsedCommand => ({ ok: true, command });
const doubt = (what: CommandProblem): ParsedCommand => ({ ok: false, doubt: what });
