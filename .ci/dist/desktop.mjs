// Installers of the desktop program, by electron-builder out of a staged tree.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../prepare.mjs';
import { SYSTEMS } from './systems.mjs';

const electronVersion = JSON.parse(
  readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'),
).version;

/** A folder with Electron's own archive, for machines that cannot fetch it: `electron-vX-win32-x64.zip`. */
const fetched = process.env.WAYPOST_ELECTRON;

/**
 * Things that this machine lacks to make these kinds of installers; undefined: nothing that can be known
 * beforehand. Electron and the tools of installers are fetched by electron-builder.
 */
export async function desktopMissing(system, kinds) {
  const { os, cpu } = SYSTEMS[system];
  if (kinds.includes('AppImage') && process.platform !== 'linux') return 'Linux';
  const archive = `electron-v${electronVersion}-${os}-${cpu}.zip`;
  if (fetched) return existsSync(join(fetched, archive)) ? undefined : `${archive} in ${fetched}`;
  const mirror = process.env.ELECTRON_MIRROR ?? 'https://github.com/electron/electron/releases/download/';
  const address = `${mirror}v${electronVersion}/${archive}`;
  const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  return answer?.ok
    ? undefined
    : `a network that reaches ${address}, or that file in a folder that WAYPOST_ELECTRON names`;
}

/** Lays out what an installer of our own contains: Electron with a staged tree in it. Returns its folder. */
export async function unpackDesktop(system, stage, options) {
  await makeDesktop(system, ['dir'], stage, options);
  return join(options.out, 'stage', `made-${system}`, 'win-unpacked');
}

/** Packs a staged tree. `config` overrules electron-builder.yml. Returns the files that it made. */
export async function makeDesktop(system, kinds, stage, { version, out, config = {} }) {
  const { Arch, Platform, build } = await import('electron-builder');
  const { os, cpu } = SYSTEMS[system];
  const platform = { win32: Platform.WINDOWS, linux: Platform.LINUX }[os];
  const work = join(out, 'stage', `made-${system}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  if (!process.env.CSC_LINK && os === 'win32') console.log('  NOT SIGNED: CSC_LINK names no certificate');
  const files = await build({
    projectDir: root,
    targets: platform.createTarget(kinds, Arch[cpu]),
    config: {
      extends: join(root, 'electron-builder.yml'),
      directories: { output: work, buildResources: join(root, 'resources', 'icons'), app: stage },
      electronVersion,
      ...(fetched && { electronDist: fetched }),
      extraMetadata: { version },
      ...config,
    },
    publish: 'never',
  });
  const kept = files.filter((file) => !/\.(blockmap|yml|yaml)$/.test(file));
  return kept.map((file) => {
    const to = join(out, basename(file).replaceAll(' ', '-'));
    renameSync(file, to);
    return to;
  });
}
