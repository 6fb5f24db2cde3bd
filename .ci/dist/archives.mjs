// Archives whose bytes depend only on their contents: sorted names, one time, no owner of the machine that packs.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import { ZipFile } from 'yazl';
import { root } from '../prepare.mjs';

/** The time of everything in a package: `SOURCE_DATE_EPOCH`, else of the last commit. */
export function packageTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && /^\d+$/.test(given)) return new Date(Number(given) * 1000);
  const git = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  const seconds = Number(git.stdout?.trim() || NaN);
  return Number.isFinite(seconds) ? new Date(seconds * 1000) : statSync(join(root, 'package.json')).mtime;
}

/** Files and folders below `folder`, sorted, as `{ path, name, folder, executable, size }`; `name` with slashes. */
export function entriesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const stat = lstatSync(path);
      if (!stat.isFile() && !stat.isDirectory()) throw new Error(`${path} is neither a file nor a folder.`);
      const name = relative(folder, path).replaceAll('\\', '/');
      return { path, name, folder: stat.isDirectory(), executable: isExecutable(name, stat), size: stat.size };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Windows keeps no mode: there, what lies in `bin/` is executable. */
const isExecutable = (name, stat) =>
  process.platform === 'win32' ? /(^|\/)bin\/[^/.]+$/.test(name) : (stat.mode & 0o100) !== 0;

/** Writes a compressed tar of a folder into `to`. Each name in it begins with `prefix`. */
export async function writeTarball(folder, to, { prefix = '', extra = [] } = {}) {
  const pack = tar.pack();
  const written = pipeline(pack, createGzip({ level: 6 }), createWriteStream(to));
  const mtime = packageTime();
  const base = { mtime, uid: 0, gid: 0, uname: 'root', gname: 'root' };
  const add = (header, source) =>
    new Promise((resolve, reject) => {
      const done = (error) => (error ? reject(error) : resolve());
      if (typeof source === 'string') createReadStream(source).on('error', reject).pipe(pack.entry(header, done));
      else if (source) pack.entry(header, source, done);
      else pack.entry(header, done);
    });
  for (const { name, text, mode } of extra) await add({ ...base, name, mode }, Buffer.from(text));
  if (prefix.length > 0) await add({ ...base, name: prefix, type: 'directory', mode: 0o755 });
  for (const entry of entriesOf(folder)) {
    const name = `${prefix}${entry.name}`;
    if (entry.folder) await add({ ...base, name: `${name}/`, type: 'directory', mode: 0o755 });
    else await add({ ...base, name, size: entry.size, mode: entry.executable ? 0o755 : 0o644 }, entry.path);
  }
  pack.finalize();
  await written;
}

/** Writes a zip of a folder into `to`. */
export async function writeZip(folder, to, { prefix = '' } = {}) {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(to));
  const failed = new Promise((_, reject) => zip.on('error', reject));
  const mtime = packageTime();
  for (const { path, name, folder: isFolder, executable } of entriesOf(folder))
    if (!isFolder)
      zip.addBuffer(readFileSync(path), `${prefix}${name}`, { mtime, mode: executable ? 0o100755 : 0o100644 });
  zip.end();
  await Promise.race([written, failed]);
}
