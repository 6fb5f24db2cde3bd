import { z } from 'zod';

/** A refusal for programs: the headers `Waypost-Refusal` and `Waypost-Refusal-Params`. */
export const Refused = z
  .object({
    code: z.string().meta({ description: 'As in the header `Waypost-Refusal`: `territory.noFile`.' }),
    params: z.record(z.string(), z.unknown()).meta({ description: 'A text, a number, or another refusal each.' }),
  })
  .meta({ id: 'Refused' });

/** Small answers that many routes share. */
export const Ok = z.object({ status: z.literal('ok') });
export const OK = { status: 'ok' } as const;

export const Deleted = z.object({ delete: z.literal(true) });
export const DELETED = { delete: true } as const;
