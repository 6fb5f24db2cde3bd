import type { RunningStation } from './console-harness.ts';

/** Asks a station over HTTP. Throws what it answers but 2xx; with a failure of its own, what it printed. */
export async function askStation(
  station: RunningStation,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of many shapes, each looked into by its test
): Promise<any> {
  const response = await fetch(station.address + path, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) {
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  }
  const printed = response.status >= 500 ? station.printed().slice(-2_000) : '';
  throw new Error(`${method} ${path}: ${response.status} ${await response.text()}${printed}`);
}
