import { z } from 'zod';
import { isLonger, withoutDirections } from '../../../shared/text/characters.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { LONGEST_TITLE } from '../../../shared/tasks/title.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import type { Accounts, Caller } from '../../access/accounts/index.ts';

/**
 * Values in paths, queries and forms arrive as text. `z.coerce` is not used: it reads an empty text as 0,
 * `0x10` as 16 and any text as true.
 */

export const LAST_ID = 2_147_483_647;
/** epoch ms; the latest time of a JavaScript `Date`. */
const LAST_INSTANT = 8_640_000_000_000_000;
const DIGITS = /^\d{1,10}$/;

/** An id in a path. */
export const pathId = z
  .string()
  .refine(
    (text) => DIGITS.test(text) && Number(text) <= LAST_ID,
    fieldRule('field.type', { expected: 'a whole number' }),
  )
  .transform(Number)
  .meta({ type: 'integer', minimum: 0, maximum: LAST_ID });

/** A 52-bit id in a path or query, such as an event's; `what` names the thing in the message. */
export function eventIdField(what: string) {
  return z
    .string()
    .regex(/^\d{1,16}$/, fieldRule('field.idOf', { what }))
    .transform(Number)
    .pipe(z.int().max(9_007_199_254_740_990));
}

/** A whole number in a query. */
export function queryInt(least: number, most: number) {
  return z
    .string()
    .refine(
      (text) => /^-?\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most,
      fieldRule('field.wholeRange', { least, most }),
    )
    .transform(Number)
    .meta({ type: 'integer', minimum: least, maximum: most });
}

/** The page size of a list. Absent or 0 is undefined: the list's default. */
export function queryLimit(most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,16}$/.test(text) && Number(text) <= most,
      fieldRule('field.wholeRange', { least: 0, most }),
    )
    .transform((text) => Number(text) || undefined)
    .optional()
    .meta({ type: 'integer', minimum: 0, maximum: most, description: '0: as many as without it' });
}

/** A decimal number in a query. */
export function queryNumber(least: number, most: number) {
  return z
    .string()
    .max(40)
    .refine(
      (text) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number(text) >= least && Number(text) <= most,
      fieldRule('field.numberRange', { least, most }),
    )
    .transform(Number)
    .meta({ type: 'number', minimum: least, maximum: most });
}

export const queryLat = queryNumber(-90, 90);
export const queryLon = queryNumber(-180, 180);

/** `west,south,east,north` in degrees. */
export const queryBounds = z
  .string()
  .max(200)
  .transform((text) =>
    text.split(',').map((part) => (/^-?\d{1,3}(\.\d{1,15})?$/.test(part.trim()) ? Number(part) : NaN)),
  )
  .refine(
    ([west, south, east, north, ...more]) =>
      more.length === 0 &&
      west! >= -180 &&
      east! <= 180 &&
      south! >= -90 &&
      north! <= 90 &&
      west! <= east! &&
      south! <= north!,
    fieldRule('field.type', { expected: 'west,south,east,north in degrees' }),
  )
  .transform((box) => box as [number, number, number, number])
  .meta({ type: 'string', examples: ['14.3,35.8,14.6,36.0'] });

/** `true` or `false`; also `t`, `f`, `1`, `0`. An empty value is false. */
export const queryFlag = z
  .enum(['true', 'false', 't', 'f', '1', '0', ''], fieldRule('field.type', { expected: 'true or false' }))
  .transform((text) => text === 'true' || text === 't' || text === '1')
  .meta({ type: 'boolean', enum: [true, false] });

/** Comma-separated ids without duplicates. An empty value is undefined: no filter. */
export const queryIds = z
  .string()
  .max(20_000)
  .refine(
    (text) => text === '' || text.split(',').every((part) => DIGITS.test(part.trim()) && Number(part) <= LAST_ID),
    fieldRule('field.wholeNumbers'),
  )
  .transform((text) => (text === '' ? undefined : [...new Set(text.split(',').map(Number))]))
  .meta({ type: 'string', examples: ['1,2,3'] });

/** Unix seconds, returned as epoch milliseconds. An empty value is undefined: no filter. */
export const querySeconds = z
  .string()
  .refine((text) => /^\d{0,10}$/.test(text), fieldRule('field.unixTime'))
  .transform((text) => (text === '' ? undefined : Number(text) * 1000))
  .meta({ type: 'integer' });

/** An id in a query; 0 may stand for "none". */
export const queryId = queryInt(0, LAST_ID);

/** Epoch milliseconds in a query. */
export const queryInstant = queryInt(0, LAST_INSTANT);

/** Epoch milliseconds in a body. */
export const instant = z.int().min(0).max(LAST_INSTANT);

/**
 * A text of at most `most` grapheme clusters. `maxLength` in the description counts code points, so a text
 * within it always fits.
 */
export function textUpTo(most: number) {
  return atMost(z.string(), most);
}

/** A non-empty text of at most `most` grapheme clusters, trimmed. */
export function filledUpTo(most: number) {
  return atMost(z.string().trim().min(1), most);
}

/** The title of a task, without invisible characters that change the writing direction. */
export const taskTitle = atMost(z.string().overwrite(withoutDirections), LONGEST_TITLE).min(1);

function atMost(text: z.ZodString, most: number): z.ZodString {
  return text
    .superRefine((value, context) => {
      if (isLonger(value, most))
        context.addIssue({ code: 'too_big', origin: 'string', maximum: most, inclusive: true, input: value });
    })
    .meta({ maxLength: most });
}

const LANGUAGE = /^([a-z]{2,3})(?:-([a-z]{4}))?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/** A language (BCP 47) as maps name it: "ru", "sr-Latn". A region says nothing there. */
export const languageTag = z
  .string()
  .refine((text) => LANGUAGE.test(text), fieldRule('field.type', { expected: 'a language such as en' }))
  .transform((text) => {
    const [, language, script] = LANGUAGE.exec(text)!;
    const capital = script && script[0]!.toUpperCase() + script.slice(1).toLowerCase();
    return language!.toLowerCase() + (capital ? `-${capital}` : '');
  })
  .meta({ type: 'string', examples: ['ru'] });

/** A search text in a query. */
export const queryText = textUpTo(1000);

/** An id in a body: a JSON number, or digits from a form. */
export const bodyId = z
  .union(
    [
      z.number().min(0).max(LAST_ID).int(),
      z
        .string()
        .refine(
          (text) => DIGITS.test(text) && Number(text) <= LAST_ID,
          fieldRule('field.type', { expected: 'a whole number' }),
        )
        .transform(Number),
    ],
    fieldRule('field.type', { expected: 'a whole number' }),
  )
  .meta({ type: 'integer', minimum: 0, maximum: LAST_ID });

/** A whole number in a body: a JSON number, or digits from a form. */
export function bodyInt(least: number, most: number) {
  const within = (value: number) => value >= least && value <= most;
  const message = fieldRule('field.wholeRange', { least, most });
  return z
    .union(
      [
        z.number().refine((value) => Number.isInteger(value) && within(value), message),
        z
          .string()
          .refine((text) => /^-?\d{1,16}$/.test(text) && within(Number(text)), message)
          .transform(Number),
      ],
      message,
    )
    .meta({ type: 'integer', minimum: least, maximum: most });
}

/** A decimal number in a body: JSON, or text from a form. */
export function bodyNumber(least: number, most: number) {
  const within = (value: number) => value >= least && value <= most;
  const message = fieldRule('field.numberRange', { least, most });
  return z
    .union(
      [
        z.number().refine(within, message),
        z
          .string()
          .max(40)
          .refine((text) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && within(Number(text)), message)
          .transform(Number),
      ],
      message,
    )
    .meta({ type: 'number', minimum: least, maximum: most });
}

/** A flag in a body: JSON true and false, or the spellings of area A and of forms. */
export const bodyFlag = z
  .union(
    [
      z.boolean(),
      z
        .enum(['true', 'false', 't', 'f', '1', '0'])
        .transform((text) => text === 'true' || text === 't' || text === '1'),
      z.literal(1).transform(() => true),
      z.literal(0).transform(() => false),
    ],
    fieldRule('field.type', { expected: 'true or false' }),
  )
  .meta({ type: 'boolean' });

/** The organization that a request acts on: the caller's own. Superusers may name any other. */
export function actingOrganization(
  caller: Caller,
  asked: number | undefined,
  accounts: Pick<Accounts, 'administration'>,
): number {
  if (asked === undefined || asked === caller.user.organizationId) return caller.user.organizationId;
  if (!caller.role.superuser) throw new Refusal('accounts.noOrganization', { id: asked });
  return accounts.administration.requireOrganization(asked).id;
}
