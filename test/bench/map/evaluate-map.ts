/**
 * `npm run eval:map -- FILE.osm.pbf LAT,LON[,ZOOM…]…` draws the base map of an extract around each place, writes the
 * pictures to test/out/map, and prints the share of named streets in view that carry their name, and how long tiles in
 * view stay undrawn while the map moves. `--palette=day,night`, `--language=ru` and
 * `--size=1000x700` choose others than day, en and 1000x700.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { build } from 'vite';
import { TileCutter } from '../../../server/geo/map/tile-cutter.ts';
import { readExtract } from '../../../server/geo/territory/formats/read-extract.ts';
import { MapFile, makeTiles } from '../../../server/geo/territory/tiles/index.ts';
import { TERRITORY_FILES } from '../../../server/geo/territory/types.ts';
import { launchChromium } from '../../browser/harness/chromium.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    palette: { type: 'string', default: 'day' },
    language: { type: 'string', default: 'en' },
    size: { type: 'string', default: '1000x700' },
  },
});
const [file, ...places] = positionals;
if (file === undefined) throw new Error('Which extract?');
const [width, height] = values.size.split('x').map(Number) as [number, number];

const directory = mkdtempSync(join(tmpdir(), 'waypost-map-'));
try {
  const { log } = await makeTiles(await readExtract(file), directory, () => {});
  if (log?.length) console.log(log.join('\n'));
  await draw(new TileCutter(MapFile.open(join(directory, TERRITORY_FILES.tiles))));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function draw(cutter: TileCutter): Promise<void> {
  const page = await pageFiles();
  const server = createServer((request, response) => {
    const tile = /^\/tiles\/(\d+)\/(\d+)\/(\d+)\.mvt/.exec(request.url!);
    if (tile) {
      const cut = cutter.cut(Number(tile[1]), Number(tile[2]), Number(tile[3]));
      response.writeHead(cut ? 200 : 204).end(cut);
      return;
    }
    const found = page.get(request.url!);
    const type = request.url!.endsWith('.js')
      ? 'text/javascript'
      : request.url!.endsWith('.css')
        ? 'text/css'
        : 'text/html';
    if (found) response.writeHead(200, { 'content-type': type }).end(found);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage({ viewport: { width, height } });
    tab.on('pageerror', (error) => console.log(error.message));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    mkdirSync('test/out/map', { recursive: true });
    for (const place of places) {
      const [lat, lon, ...zooms] = place.split(',').map(Number) as [number, number, ...number[]];
      for (const palette of values.palette.split(','))
        for (const zoom of zooms.length > 0 ? zooms : [12, 16]) {
          await tab.evaluate(`showMap(${lat}, ${lon}, ${zoom}, '${palette}', '${values.language}')`);
          await tab.evaluate('whenDrawn()');
          const path = `test/out/map/${basename(file!, '.osm.pbf')}-${lat}-${lon}-${zoom}-${palette}.png`;
          await tab.screenshot({ path });
          console.log(path);
          await tell(tab, zoom);
        }
    }
  } finally {
    await browser.close();
    server.close();
  }
}

/** Prints the share of named streets that carry their name, and how long tiles stay undrawn while the map moves. */
async function tell(tab: Page, zoom: number): Promise<void> {
  const { streets, without } = await tab.evaluate<{ streets: number; without: string[] }>('namedStreets()');
  if (zoom >= 15)
    console.log(
      `  ${streets - without.length} of ${streets} streets named; without: ${without.slice(0, 12).join(', ')}`,
    );
  const times: number[] = [];
  for (let i = 0; i < 12; i++)
    times.push(await tab.evaluate<number>(`pan(${i % 4 < 2 ? 400 : -400}, ${i % 3 === 0 ? 300 : -150})`));
  times.sort((a, b) => a - b);
  console.log(`  undrawn while moving: median ${Math.round(times[6]!)} ms, longest ${Math.round(times.at(-1)!)} ms`);
}

async function pageFiles(): Promise<Map<string, Uint8Array | string>> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    base: './',
    build: { write: false, assetsInlineLimit: 0, rollupOptions: { input: join(import.meta.dirname, 'index.html') } },
  });
  const files = new Map<string, Uint8Array | string>();
  for (const part of [built].flat()) {
    if (!('output' in part)) continue;
    for (const file of part.output) files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
  }
  files.set('/', files.get('/index.html')!);
  return files;
}
