import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

/**
 * The first stable release of each major of Electron, from the dates of the package registry (`npm view electron
 * time`). The newest three majors are supported (electronjs.org, Electron Releases), with a new one every 8 weeks.
 */
const RELEASED: Readonly<Record<number, string>> = {
  43: '2026-07-01',
  44: '2026-08-25',
  45: '2026-10-21',
};
const SUPPORTED_MAJORS = 3;
const CADENCE_DAYS = 56;
const DAY = 86_400_000;

/** When support of a major ends: the day its third successor comes, or is due by the cadence. */
function endOfSupport(major: number): number {
  const successors = Object.keys(RELEASED)
    .map(Number)
    .filter((other) => other > major);
  const last = Math.max(major, ...successors);
  const known = RELEASED[major + SUPPORTED_MAJORS];
  if (known !== undefined) return Date.parse(known);
  return Date.parse(RELEASED[last]!) + (major + SUPPORTED_MAJORS - last) * CADENCE_DAYS * DAY;
}

test('the pinned Electron is a supported major; else pin the newest one and add its date here', () => {
  const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const version = devDependencies['electron']!;
  const major = Number(version.split('.')[0]);
  expect(version, 'an exact version').toMatch(/^\d+\.\d+\.\d+$/);
  expect(RELEASED[major], `the day of Electron ${major} is in the table`).toBeDefined();
  const end = new Date(endOfSupport(major)).toISOString().slice(0, 10);
  expect(Date.now() < Date.parse(end), `Electron ${major} is supported until ${end}`).toBe(true);
});

test('support of a major ends when its third successor is due', () => {
  expect(new Date(endOfSupport(45)).toISOString().slice(0, 10)).toBe('2027-04-07');
  expect(new Date(endOfSupport(43)).toISOString().slice(0, 10)).toBe('2026-12-16');
});

test('the packager burns the fuses in: nothing of the binary can be used as Node from outside', () => {
  const packager = readFileSync(`${root}electron-builder.yml`, 'utf8');
  const fuses = Object.fromEntries(
    [...packager.split('electronFuses:')[1]!.matchAll(/^ {2}(\w+): (true|false)$/gm)].map(([, name, on]) => [name, on]),
  );
  expect(fuses).toMatchObject({
    runAsNode: 'false',
    enableNodeOptionsEnvironmentVariable: 'false',
    enableNodeCliInspectArguments: 'false',
    enableCookieEncryption: 'true',
    enableEmbeddedAsarIntegrityValidation: 'true',
    onlyLoadAppFromAsar: 'true',
    grantFileProtocolExtraPrivileges: 'false',
  });
});
