/** The service type of stations on the local network (DNS-SD, RFC 6763). */
export const SERVICE_TYPE = 'waypost';

/** Fields that a service of that type announces. Anybody on the network can pretend to be a station. */
export interface AnnouncedStation {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  /** Such as `https://192.168.1.20:8443`. */
  readonly address: string;
  /** SHA-256 of its certificate, as it says: `AA:BB:…`. */
  readonly fingerprint: string;
}

/** The parts of a found service that are read. */
interface FoundService {
  readonly txt?: unknown;
  readonly port: number;
  readonly referer?: { readonly address: string } | undefined;
  readonly addresses?: readonly string[] | undefined;
}

/** Undefined when what was received is no station. */
export function readAnnouncement({ txt, port, referer, addresses = [] }: FoundService): AnnouncedStation | undefined {
  const text = (txt ?? {}) as Record<string, unknown>;
  const [id, number, name, fp] = [text['id'], text['number'], text['name'], text['fp']].map(String);
  const host = referer?.address ?? addresses.find((address) => !address.includes(':'));
  if (!/^[a-z0-9]{1,40}$/.test(id!) || !/^\d{1,3}$/.test(number!) || !/^[0-9A-F]{64}$/i.test(fp!)) return undefined;
  if (host === undefined || !(port > 0 && port <= 65_535)) return undefined;
  return {
    id: id!,
    number: Number(number),
    name: name!.slice(0, 100),
    address: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    fingerprint: fp!.toUpperCase().match(/../g)!.join(':'),
  };
}
