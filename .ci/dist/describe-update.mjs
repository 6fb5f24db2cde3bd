// node .ci/dist/describe-update.mjs FOLDER …: writes waypost-update.json about the packages in these folders, signed
// with the key that WAYPOST_UPDATE_KEY names. `npm run dist` does so for what it has made.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../prepare.mjs';
import { signUpdate } from './signing.mjs';

const PACKAGE = /\.(tar\.gz|deb|zip|exe|AppImage)$/;

/** Describes the update for stations that look for one. Returns whether it was signed. */
export function describeUpdate(to, version, files) {
  const rows = files.map((file) => ({
    name: basename(file),
    size: statSync(file).size,
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
  }));
  writeFileSync(to, `${JSON.stringify({ format: 1, version, files: rows }, null, 2)}\n`);
  return signUpdate(to);
}

if (process.argv[1]?.endsWith('describe-update.mjs')) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = process.argv.slice(2).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => PACKAGE.test(name))
      .map((name) => join(folder, name)),
  );
  const signed = describeUpdate(join(root, 'waypost-update.json'), version, files);
  console.log(`${files.length} packages of ${version}; ${signed ? 'signed' : 'NOT SIGNED: stations refuse it'}`);
}
