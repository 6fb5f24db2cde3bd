import type { z } from 'zod';

export interface Setting<T extends z.ZodType> {
  readonly schema: T;
  readonly default: z.output<T>;
  /** The command-line flag, without dashes. Settings without one come from the environment or the file. */
  readonly flag?: string;
  readonly environment?: string;
  /** Its meaning and the reason for its default: the line in `--help`. */
  readonly reason: string;
  /** A flag without a value. */
  readonly plain?: true;
}

/** Keeps the type of each setting. */
export const setting = <T extends z.ZodType>(definition: Setting<T>) => definition;
