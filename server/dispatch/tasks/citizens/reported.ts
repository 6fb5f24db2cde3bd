/** A citizen's report, as received. `contact` is only for the control room. */
export interface CitizenReport {
  readonly typeId: number;
  readonly description: string;
  readonly address: string;
  readonly addressId: string;
  readonly point: { readonly lon: number; readonly lat: number } | null;
  readonly mediaUrl: string;
  readonly contact: Readonly<Partial<Record<ContactField, string>>>;
  /** Code of a report of the page: its holder may follow the report, and nobody else. Empty: it came by Open311. */
  readonly code: string;
}

export const CONTACT_FIELDS = ['first_name', 'last_name', 'email', 'phone', 'account_id', 'device_id'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

const FIRST_LINE = 'Open311';
const FIRST_LINE_OF_PAGE = 'Page of citizens';

/**
 * The lines of a task's system data: people read them there, and answers are built from them. A value has one
 * line; the description comes last and keeps its lines.
 */
export function linesOfReport(report: CitizenReport): string {
  const { typeId, address, addressId, point, mediaUrl, contact, code, description } = report;
  const values: [string, string | undefined][] = [
    ['service_code', String(typeId)],
    ...CONTACT_FIELDS.map((name): [string, string | undefined] => [name, contact[name]]),
    ['address_string', address],
    ['address_id', addressId],
    ['lat', point ? String(point.lat) : ''],
    ['long', point ? String(point.lon) : ''],
    ['media_url', mediaUrl],
    ['code', code],
  ];
  const lines = values.filter(([, value]) => value).map(([name, value]) => `${name}: ${oneLine(value!)}`);
  return [code ? FIRST_LINE_OF_PAGE : FIRST_LINE, ...lines, `description: ${description}`].join('\n');
}

/** The citizen's report that made the task; undefined: the task came another way. */
export function reportFrom(systemData: string): CitizenReport | undefined {
  const end = systemData.indexOf('\ndescription: ');
  const isOurs = [FIRST_LINE, FIRST_LINE_OF_PAGE].some((line) => systemData.startsWith(`${line}\n`));
  if (!isOurs || end < 0) return undefined;
  const values = new Map(
    systemData
      .slice(0, end)
      .split('\n')
      .slice(1)
      .map((line): [string, string] => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
  );
  const value = (name: string) => values.get(name) ?? '';
  const typeId = Number(value('service_code'));
  if (!Number.isSafeInteger(typeId) || typeId <= 0) return undefined;
  return {
    typeId,
    description: systemData.slice(end + '\ndescription: '.length),
    address: value('address_string'),
    addressId: value('address_id'),
    point: pointOf(value('long'), value('lat')),
    mediaUrl: value('media_url'),
    code: value('code'),
    contact: Object.fromEntries(CONTACT_FIELDS.map((name) => [name, value(name)])),
  };
}

function pointOf(lon: string, lat: string): CitizenReport['point'] {
  const point = { lon: Number(lon), lat: Number(lat) };
  return lon === '' || lat === '' || !Number.isFinite(point.lon) || !Number.isFinite(point.lat) ? null : point;
}

/** A value must not look like a line of another field. */
function oneLine(value: string): string {
  return value.replace(/[\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ').trim();
}
