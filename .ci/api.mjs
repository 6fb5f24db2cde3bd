// npm run api: writes the console's types of the interface, made from the description that a station gives.
// The station runs in a temporary directory, on this machine only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../server/config/index.ts';
import { startStation } from '../server/station.ts';
import { schemaOf } from './api-schema.ts';
import { root } from './prepare.mjs';

const data = mkdtempSync(join(tmpdir(), 'waypost-api-'));
const station = await startStation(readConfig(['--data', data, '--host', '127.0.0.1', '--port', '0'], {}));
try {
  const description = await (await fetch(`${station.address}/openapi.json`)).json();
  writeFileSync(join(root, 'renderer', 'src', 'lib', 'api', 'schema.d.ts'), await schemaOf(description));
} finally {
  await station.stop();
  rmSync(data, { recursive: true, force: true });
}
