// The targets, and the needs of each of the machine.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { writeTarball, writeZip } from './archives.mjs';
import { PACKAGE, debianVersion, writeDeb } from './deb.mjs';
import { desktopMissing, makeDesktop, unpackDesktop } from './desktop.mjs';
import { installerMissing, writeInstaller } from './installer.mjs';
import { stageDesktop, stageStation } from './stage.mjs';
import { SYSTEMS } from './systems.mjs';

/**
 * A target stages a tree (`tree` is its folder, so that two targets share one) and makes files of it. `missing` says
 * what this machine lacks to make them; the tree is staged and checked all the same.
 */
const station = (system) => ({
  package: PACKAGE,
  node: true,
  of: `${SYSTEMS[system].format} ${SYSTEMS[system].cpu}`,
  tree: `station-${system}`,
  stage: (into, { version }) => stageStation(system, into, { version }),
});
const desktop = (system, kinds, summary) => ({
  summary,
  package: 'waypost',
  of: `${SYSTEMS[system].format} ${SYSTEMS[system].cpu}`,
  tree: `desktop-${system}`,
  stage: (into, { version }) => stageDesktop(system, into, { version }),
  missing: () => desktopMissing(system, kinds),
  make: (stage, options) => makeDesktop(system, kinds, stage, options),
});

const tarball = (system) => ({
  ...station(system),
  summary: `station with its Node, for any ${system} with glibc 2.28`,
  make: async (stage, { version, out }) => {
    const name = `waypost-station-${version}-${system}`;
    await writeTarball(stage, join(out, `${name}.tar.gz`), { prefix: `${name}/` });
    return [join(out, `${name}.tar.gz`)];
  },
});
const deb = (system) => ({
  ...station(system),
  summary: `station as a service of systemd, for Debian and Ubuntu (${SYSTEMS[system].debian})`,
  make: async (stage, { version, out, binaries }) => {
    const file = join(out, `${PACKAGE}_${debianVersion(version)}_${SYSTEMS[system].debian}.deb`);
    await writeDeb(stage, file, { system, version, binaries });
    return [file];
  },
});

export const TARGETS = {
  'station-tar': tarball('linux-x64'),
  'station-tar-arm64': tarball('linux-arm64'),
  'station-deb': deb('linux-x64'),
  'station-deb-arm64': deb('linux-arm64'),
  'station-zip': {
    ...station('windows-x64'),
    summary: 'station for Windows, with the command and the script for its service',
    make: async (stage, { version, out }) => {
      const name = `waypost-station-${version}-windows-x64`;
      await writeZip(stage, join(out, `${name}.zip`), { prefix: `${name}/` });
      return [join(out, `${name}.zip`)];
    },
  },
  'station-installer': {
    ...station('windows-x64'),
    summary: 'station as a service of Windows: installer; needs makensis',
    missing: installerMissing,
    make: async (stage, { version, out }) => {
      const file = join(out, `waypost-station-${version}-windows-x64-setup.exe`);
      writeInstaller(stage, file, { program: 'waypost-station', version });
      return [file];
    },
  },
  'station-container': {
    summary:
      'Containerfile for the archive of station-tar; building the image needs podman or docker and its base image',
    stage: (into) => {
      mkdirSync(into, { recursive: true });
      copyFileSync(join(root, '.ci', 'dist', 'files', 'container', 'Containerfile'), join(into, 'Containerfile'));
      return {};
    },
    make: async (stage, { version, out }) => {
      const text = readFileSync(join(stage, 'Containerfile'), 'utf8').replaceAll('VERSION=0.1.0', `VERSION=${version}`);
      writeFileSync(join(out, 'Containerfile'), text);
      if (!existsSync(join(out, `waypost-station-${version}-linux-x64.tar.gz`)))
        console.log('  It is built beside the archive: npm run dist -- station-tar');
      return [join(out, 'Containerfile')];
    },
  },
  'desktop-windows': {
    ...desktop('windows-x64', ['dir'], 'desktop for Windows: installer for all users; needs makensis and a network'),
    missing: async () => installerMissing() ?? (await desktopMissing('windows-x64', ['dir'])),
    make: async (stage, { version, out }) => {
      const tree = await unpackDesktop('windows-x64', stage, { version, out });
      const file = join(out, `waypost-${version}-windows-x64-setup.exe`);
      writeInstaller(tree, file, { program: 'waypost', version });
      return [file];
    },
  },
  'desktop-zip': desktop('windows-x64', ['zip'], 'desktop for Windows: portable zip; needs a network'),
  'desktop-linux': desktop('linux-x64', ['AppImage', 'deb'], 'desktop for Linux: AppImage, deb; needs a network'),
};

export function describeTargets() {
  const lines = Object.entries(TARGETS).map(([name, { summary }]) => `  ${name.padEnd(18)} ${summary}`);
  return `npm run dist [-- TARGET …] [--version X] [--out FOLDER]

${lines.join('\n')}

Without a target, all. The packages of other systems come from the registry of npm, once. WAYPOST_SIGN names a command
that signs each file, WAYPOST_UPDATE_KEY the key (Ed25519, PEM) of waypost-update.json, CSC_LINK and CSC_KEY_PASSWORD the
certificate of the Windows programs.`;
}
