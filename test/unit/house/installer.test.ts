import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readBinary } from '../../../.ci/dist/binaries.mjs';
import { installerMissing, writeInstaller } from '../../../.ci/dist/installer.mjs';

const folder = mkdtempSync(join(tmpdir(), 'waypost-installer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const missing = installerMissing();

// npm run test:packages installs them under Wine.
test.runIf(missing === undefined)(
  `installers of both programs for Windows are made, one tree the same bytes${missing ? ` (needs ${missing})` : ''}`,
  () => {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'resources/a folder'), { recursive: true });
    writeFileSync(join(tree, 'resources/a folder/$INSTDIR ${OUT}.txt'), 'A name that the script must not read.');
    writeFileSync(join(tree, 'Waypost.exe'), 'program');
    const make = (program: 'waypost' | 'waypost-station', name: string) => {
      const file = join(folder, name);
      writeInstaller(tree, file, { program, version: '1.2.3-rc.1', quick: true });
      return file;
    };
    const [desktop, again, station] = [
      make('waypost', 'desktop.exe'),
      make('waypost', 'again.exe'),
      make('waypost-station', 'station.exe'),
    ];
    for (const file of [desktop, station]) expect(readBinary(file)).toMatchObject({ format: 'PE' });
    expect(readFileSync(desktop).equals(readFileSync(again))).toBe(true);
    expect(readFileSync(desktop).equals(readFileSync(station))).toBe(false);
  },
);

test('each text of the installers stands there in English and in Russian', () => {
  const script = readFileSync(new URL('../../../.ci/dist/files/installer/texts.nsh', import.meta.url), 'utf8');
  const texts = [...script.replaceAll('\\\n', '').matchAll(/!insertmacro text (\w+)\s+"([^"]+)"\s+"([^"]+)"/g)];
  expect(texts).toHaveLength(script.match(/!insertmacro text/g)!.length);
  expect(texts.length).toBeGreaterThan(5);
  for (const [, , english, russian] of texts) {
    expect(english).toMatch(/^[^а-яё]+$/i);
    expect(russian).toMatch(/[а-яё]/i);
  }
});
