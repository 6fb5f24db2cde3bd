/** The manoeuvre of a step, by the codes of the interface. */
const TURNS = {
  1: 'straight',
  2: 'slightRight',
  3: 'right',
  4: 'sharpRight',
  5: 'turnBack',
  6: 'sharpLeft',
  7: 'left',
  8: 'slightLeft',
  9: 'via',
  10: 'head',
  11: 'roundabout',
  15: 'arrived',
} as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

export interface InstructionStep {
  readonly turn: Turn;
  /** Of a roundabout, from 1; 0 elsewhere. */
  readonly exit: number;
  /** The road after it; empty: it has no name. */
  readonly road: string;
  /** To the next step: metres and seconds. */
  readonly metres: number;
  readonly seconds: number;
  /** Its vertex in the geometry of the drive. */
  readonly position: number;
  /** N, NE, … */
  readonly compass: string;
  /** 1 on the road, 2 by ferry, 3 over a movable bridge. */
  readonly mode: number;
  /** Of stops on the way: which one, from 1. */
  readonly stop: number;
}

/** Rows of `route_instructions` by their positions. A code that is not known here is a way straight on. */
export function readSteps(rows: readonly (readonly (string | number)[])[]): readonly InstructionStep[] {
  let stop = 0;
  return rows.map((row): InstructionStep => {
    const [code, exit = 0] = String(row[0]).split('-').map(Number);
    const turn = TURNS[code as keyof typeof TURNS] ?? 'straight';
    if (turn === 'via' || turn === 'arrived') stop++;
    return {
      turn,
      exit,
      road: String(row[1] ?? ''),
      metres: Number(row[2]),
      position: Number(row[3]),
      seconds: Number(row[4]),
      compass: String(row[6] ?? 'N'),
      mode: Number(row[8] ?? 1),
      stop,
    };
  });
}

/** The key of the text for a step under `routes.steps.`, and its parameters for `t`. */
export function stepWord({ turn, road, exit, compass, stop }: InstructionStep): {
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
} {
  const named = road !== '' && turn !== 'arrived';
  return { key: `${turn}.${named ? 'named' : 'plain'}`, values: { road, exit, compass, stop } };
}
