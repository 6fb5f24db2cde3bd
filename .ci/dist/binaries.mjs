// Reads for which system a binary was made, and refuses a tree that contains one for another.
import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SYSTEMS } from './systems.mjs';

const ELF_MACHINES = { 0x03: 'ia32', 0x28: 'arm', 0x3e: 'x64', 0xb7: 'arm64', 0xf3: 'riscv64' };
const PE_MACHINES = { 0x14c: 'ia32', 0x1c4: 'arm', 0x8664: 'x64', 0xaa64: 'arm64' };
const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe]);
/** Names that only a binary may have. */
const BINARY_NAME = /\.(node|exe|dll|dylib|so(\.\d+)*)$/i;

/**
 * Facts in the first bytes: `{ format: 'ELF', cpu, libc, needs, symbols }`, `{ format: 'PE', cpu }`, `{
 * format: 'Mach-O' }`, or undefined for a file that no system runs. `libc` is undefined where a file needs
 * none.
 */
export function readBinary(path) {
  const head = firstBytes(path, 64);
  if (head.length < 20) return undefined;
  if (head.readUInt32BE(0) === 0x7f454c46) return readElf(readFileSync(path));
  if (head.toString('latin1', 0, 2) === 'MZ') return readPe(readFileSync(path));
  // Java's class files begin as fat Mach-O files do; there the next number is a version above 40.
  if (MACH_O.has(head.readUInt32BE(0)) && !(head.readUInt32BE(0) === 0xcafebabe && head.readUInt32BE(4) > 40))
    return { format: 'Mach-O' };
  return undefined;
}

function firstBytes(path, length) {
  const file = openSync(path);
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** The dynamic section names the libraries that a file needs, and with them the C library. 64 bit, low byte first. */
function readElf(bytes) {
  const cpu = ELF_MACHINES[bytes.readUInt16LE(18)] ?? `machine ${bytes.readUInt16LE(18)}`;
  if (bytes[4] !== 2 || bytes[5] !== 1) return { format: 'ELF', cpu, libc: undefined, needs: [], symbols: [] };
  const headers = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  const segments = Array.from({ length: bytes.readUInt16LE(56) }, (_, i) => {
    const at = headers + i * size;
    const [offset, address, , length] = [8, 16, 24, 32].map((field) => Number(bytes.readBigUInt64LE(at + field)));
    return { type: bytes.readUInt32LE(at), offset, address, length };
  });
  const inFile = (address) => {
    const segment = segments.find(
      (one) => one.type === 1 && address >= one.address && address < one.address + one.length,
    );
    return segment && address - segment.address + segment.offset;
  };
  const dynamic = segments.find(({ type }) => type === 2);
  const entries = [];
  for (let at = dynamic?.offset ?? 0; dynamic && at < dynamic.offset + dynamic.length; at += 16)
    entries.push({ tag: Number(bytes.readBigInt64LE(at)), value: Number(bytes.readBigUInt64LE(at + 8)) });
  const valueOf = (tag) => entries.find((entry) => entry.tag === tag)?.value;
  const strings = inFile(valueOf(5) ?? -1);
  if (strings === undefined) return { format: 'ELF', cpu, libc: undefined, needs: [], symbols: [] };
  const text = (offset) => bytes.toString('latin1', strings + offset, bytes.indexOf(0, strings + offset));
  const needs = entries.filter(({ tag }) => tag === 1).map(({ value }) => text(value));
  const symbols = bytes
    .toString('latin1', strings, strings + (valueOf(10) ?? 0))
    .split('\0')
    .filter((name) => /^(GLIBC|GLIBCXX)_[\d.]+$/.test(name));
  const libc = needs.some((name) => /^(libc\.musl-|ld-musl-)/.test(name) || name === 'libc.so')
    ? 'musl'
    : needs.includes('libc.so.6')
      ? 'glibc'
      : undefined;
  return { format: 'ELF', cpu, libc, needs, symbols };
}

function readPe(bytes) {
  const at = bytes.readUInt32LE(60);
  if (at + 6 > bytes.length || bytes.toString('latin1', at, at + 4) !== 'PE\0\0') return { format: 'DOS', cpu: 'ia16' };
  const machine = bytes.readUInt16LE(at + 4);
  return { format: 'PE', cpu: PE_MACHINES[machine] ?? `machine ${machine}` };
}

/**
 * All binaries below `folder`, as `{ path, …readBinary }`. Throws with every file that `system` cannot run, and
 * with every file that is called like a binary and is none.
 */
export function requireBinariesFor(system, folder) {
  const { format, cpu, libc } = SYSTEMS[system];
  const found = [];
  const wrong = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const binary = readBinary(path);
    const name = relative(folder, path).replaceAll('\\', '/');
    if (!binary) {
      if (BINARY_NAME.test(entry.name)) wrong.push(`${name} is called like a binary, and is none`);
      continue;
    }
    if (binary.format !== format || binary.cpu !== cpu)
      wrong.push(`${name} is ${[binary.format, binary.cpu].filter(Boolean).join(' ')}`);
    else if (binary.libc !== undefined && binary.libc !== libc) wrong.push(`${name} needs ${binary.libc}`);
    else found.push({ path: name, ...binary });
  }
  if (wrong.length > 0)
    throw new Error(`A package for ${system} may not contain: ${wrong.join('; ')}. It needs ${format} ${cpu}.`);
  return found;
}
