import { z } from 'zod';
import { fieldRule } from '../../../../shared/refusals/field-rules.ts';
import { CONTACT_FIELDS, type CitizenFilter, type CitizenReport } from '../../../dispatch/tasks/index.ts';
import { bodyNumber, queryIds, textUpTo } from '../../request/fields.ts';

const DAY = 86_400_000;
/** The standard: a list spans 90 days at most. */
const SPAN = 90 * DAY;

/** Forms send empty fields: they are as if missing. */
const orEmpty = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional();

const line = textUpTo(200).optional();
const link = z
  .string()
  .max(2000)
  .refine(
    (text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol),
    fieldRule('field.type', { expected: 'an address that begins with http:// or https://' }),
  );
/** Unknown codes are not found rather than wrong, as the standard says. */
export const serviceCode = z.string().min(1).max(40);

/** Body of a request from a citizen's program. */
export const RequestBody = z.object({
  api_key: z.string().max(500).optional().meta({ description: 'An access key of the scope `citizens`.' }),
  jurisdiction_id: line,
  service_code: serviceCode,
  lat: orEmpty(bodyNumber(-90, 90)),
  long: orEmpty(bodyNumber(-180, 180)),
  address_string: textUpTo(1000).optional(),
  address_id: line,
  description: textUpTo(4000).optional(),
  media_url: orEmpty(link).meta({ description: 'A link to a photo. It is kept, and never fetched.' }),
  first_name: line,
  last_name: line,
  email: line,
  phone: line,
  account_id: line,
  device_id: line,
  attribute: z
    .record(z.string().max(200), z.union([textUpTo(100_000), z.array(textUpTo(4000)).min(1).max(1)]))
    .optional()
    .meta({ description: 'Values of the attributes by their code: `attribute[CODE]=VALUE`.' }),
});

export function reportOf(body: z.output<typeof RequestBody>, typeId: number): CitizenReport {
  const { lat, long: lon, address_string: address, address_id: addressId, description, media_url: mediaUrl } = body;
  return {
    typeId,
    description: description?.trim() ?? '',
    address: address?.trim() ?? '',
    addressId: addressId?.trim() ?? '',
    point: lat === undefined || lon === undefined ? null : { lat, lon },
    mediaUrl: mediaUrl ?? '',
    contact: Object.fromEntries(CONTACT_FIELDS.map((name) => [name, body[name]?.trim() ?? ''])),
    code: '',
  };
}

/** A time as 2010-05-24T00:00:00Z (W3C). */
const time = z
  .string()
  .max(40)
  .refine(
    (text) =>
      /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text) &&
      !Number.isNaN(Date.parse(text)) &&
      Date.parse(text) >= 0,
    fieldRule('field.type', { expected: 'a time such as 2026-05-24T00:00:00Z' }),
  )
  .transform((text) => Date.parse(text))
  .meta({ type: 'string', format: 'date-time' });

const STATES = ['open', 'closed', 'open,closed', 'closed,open'] as const;

export const RequestQuery = z.object({
  jurisdiction_id: line,
  service_request_id: queryIds.optional(),
  service_code: queryIds.optional(),
  start_date: orEmpty(time),
  end_date: orEmpty(time),
  status: orEmpty(z.enum(STATES)),
});

/** The standard: without dates, the last 90 days; with one, 90 days from or up to it. */
export function citizenFilterOf(query: z.output<typeof RequestQuery>, now: number): CitizenFilter {
  const { start_date: start, end_date: end, service_code: typeIds, status } = query;
  const until = end ?? (start === undefined ? now : start + SPAN);
  const from = start ?? until - SPAN;
  return {
    typeIds,
    from: Math.max(0, from),
    until: Math.min(until, from + SPAN),
    isOpen: status === 'open' ? true : status === 'closed' ? false : undefined,
  };
}
