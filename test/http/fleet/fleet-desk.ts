import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

/** A station with two organizations, their people, and calls of its interface as any of them. */
export interface FleetDesk {
  /** Token of the administrator of all. */
  readonly admin: string;
  readonly dispatcher: { id: number; token: string };
  readonly roads: { id: number };
  /** Administrator of `roads`. */
  readonly roadsAdmin: { id: number; token: string };
  /** The organization of the administrator. */
  readonly home: number;
  ask(method: string, path: string, body?: unknown, as?: string): Promise<TestResponse>;
  /** The answer of a call that succeeds. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are compared with literals
  done(method: string, path: string, body?: unknown, as?: string): Promise<any>;
  refusal(method: string, path: string, body?: unknown, as?: string): Promise<[status: number, text: string]>;
  upload(bytes: Buffer, name: string, as?: string): Promise<string>;
  picture(path: string, as?: string): Promise<{ status: number; type: string; width: number; height: number }>;
}

export const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3070b0' } })
    .jpeg()
    .toBuffer();

/** Opens the desk before the tests of a file and closes it after them. */
export function useFleetDesk(): FleetDesk {
  let station: TryStation;
  const desk: { -readonly [Part in keyof FleetDesk]: FleetDesk[Part] } = {
    admin: '',
    dispatcher: { id: 0, token: '' },
    roads: { id: 0 },
    roadsAdmin: { id: 0, token: '' },
    home: 0,
    ask: (method: string, path: string, body?: unknown, as = desk.admin) => station.ask(method, path, { as, body }),
    async done(method: string, path: string, body?: unknown, as = desk.admin) {
      const answered = await desk.ask(method, path, body, as);
      expect(answered.status, `${method} ${path}: ${answered.text}`).toBe(200);
      return answered.text === '' ? undefined : answered.json();
    },
    async refusal(method: string, path: string, body?: unknown, as = desk.admin): Promise<[number, string]> {
      const answered = await desk.ask(method, path, body, as);
      expect(answered.type).toContain('text/plain');
      return [answered.status, answered.text];
    },
    async upload(bytes: Buffer, name: string, as = desk.admin): Promise<string> {
      const form = new FormData();
      form.set('name', name);
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      const response = await fetch(`${station.station.address}/fileload?token=${as}`, { method: 'POST', body: form });
      return ((await response.json()) as { data: [string] }).data[0];
    },
    async picture(path: string, as = desk.admin) {
      const response = await fetch(`${station.station.address}${path}?token=${as}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      const { width = 0, height = 0 } = response.ok ? await sharp(bytes).metadata() : {};
      return { status: response.status, type: response.headers.get('content-type') ?? '', width, height };
    },
  };
  beforeAll(async () => {
    station = await tryStation();
    desk.admin = await station.signIn();
    desk.dispatcher = await station.newUser('anna', 'Dispatcher');
    desk.home = (await desk.ask('GET', '/users/current')).json().organizationId;
    desk.roads = (await desk.ask('POST', '/organizations', { name: 'Roads' })).json();
    await desk.ask('POST', '/rights', { name: 'Local administrator', admin: true });
    desk.roadsAdmin = await station.newUser('olga', 'Local administrator', { organizationId: desk.roads.id });
  });
  afterAll(() => station.stop());
  return desk;
}
