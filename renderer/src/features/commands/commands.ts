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

/** What the command line may speak about. */
export interface CommandContext {
  readonly vehicles: readonly KnownVehicle[];
  taskById(id: number): KnownTask | undefined;
  readonly chosenTask: KnownTask | undefined;
  /** The task at which the vehicle has not arrived, so that it cannot have this status yet. */
  barredBy(vehicleId: number, status: number): KnownTask | undefined;
}

/** What Enter will do. */
export type Command =
  | { kind: 'assign'; vehicle: KnownVehicle; task: KnownTask }
  | { kind: 'unitStatus'; vehicle: KnownVehicle; status: number }
  | { kind: 'done'; task: KnownTask }
  | { kind: 'feedback'; task: KnownTask }
  | { kind: 'reopen'; task: KnownTask }
  | { kind: 'go'; query: string }
  | { kind: 'new'; title: string }
  | { kind: 'openTask'; task: KnownTask }
  | { kind: 'showVehicle'; vehicle: KnownVehicle };

/** Why it is not a command yet, or cannot be: for the preview. */
export type CommandProblem =
  | { kind: 'empty' }
  | { kind: 'unknownCommand'; word: string }
  | { kind: 'ambiguousCommand'; names: readonly string[] }
  | { kind: 'needs'; what: 'vehicle' | 'task' | 'status' | 'query' }
  | { kind: 'noVehicle'; text: string }
  | { kind: 'severalVehicles'; names: readonly string[] }
  | { kind: 'noTask'; text: string }
  | { kind: 'noStatus'; text: string }
  | { kind: 'notArrived'; vehicle: KnownVehicle; task: KnownTask };

export type ParsedCommand =
  { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly doubt: CommandProblem };

/**
 * The words that begin a line; each may be shortened as long as it stays the only one, and one letter has a
 * fixed meaning.
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
  return withVehicle(parts[1]!, around, (vehicle) =>
    /^\d$/.test(parts[2]!) ? toStatus(vehicle, Number(parts[2]), around) : doubt({ kind: 'noStatus', text: parts[2]! }),
  );
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
 * `van7`, `Van 7` and `ван 7` are one call sign. A whole name or plate wins over those that only begin so.
 */
function find(text: string, vehicles: readonly KnownVehicle[]): KnownVehicle[] {
  const asked = plain(text);
  if (!asked) return [];
  const whole = vehicles.filter((vehicle) => plain(vehicle.name) === asked || plain(vehicle.plate) === asked);
  return whole.length > 0
    ? whole
    : vehicles.filter((vehicle) => plain(vehicle.name).startsWith(asked) || plain(vehicle.plate).startsWith(asked));
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
