import { z } from 'zod';

/** Small answers that many routes share. */
export const Ok = z.object({ status: z.literal('ok') });
export const OK = { status: 'ok' } as const;

export const Deleted = z.object({ delete: z.literal(true) });
export const DELETED = { delete: true } as const;
