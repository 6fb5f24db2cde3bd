import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A Windows of Wine 8 in a folder of its own, with two changes that Node 24 needs: one function that Wine has by half
 * is hidden, so that V8 reserves memory in the older way, and a library that Wine lacks passes its one function on.
 */
export class Wine {
  readonly drive: string;
  readonly #home: string;
  readonly #environment: NodeJS.ProcessEnv;
  #keeper: ChildProcess | undefined;

  constructor() {
    this.#home = mkdtempSync(join(tmpdir(), 'waypost-wine-'));
    this.drive = join(this.#home, 'drive_c');
    this.#environment = {
      ...process.env,
      WINEPREFIX: this.#home,
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml=',
    };
    this.run('wineboot', '--init');
    this.run('winecfg', '-v', 'win10');
    this.#program('wineserver', ['--wait'], 60_000);
    const system = join(this.drive, 'windows/system32');
    const base = readFileSync(join(system, 'kernelbase.dll'), 'latin1');
    const changed = base
      .replaceAll('\0MapViewOfFile3\0', '\0MapViewOfFile4\0')
      .replace('Wine builtin DLL', 'Wine changed DLL');
    writeFileSync(join(system, 'kernelbase.dll'), changed, 'latin1');
    writeFileSync(join(system, 'bcryptprimitives.dll'), passOn('ProcessPrng', 'advapi32.SystemFunction036'));
    this.#environment['WINEDLLOVERRIDES'] += ';kernelbase=n';
  }

  /** Runs a program to its end. Node opens no pipe of another system: what it prints goes over a file. */
  run(...words: string[]): { status: number | null; said: string } {
    const file = join(this.#home, 'said.txt');
    const out = openSync(file, 'w');
    try {
      const status = this.#program('wine', words, 300_000, out);
      return { status, said: readFileSync(file, 'utf8') };
    } finally {
      closeSync(out);
    }
  }

  /** Starts a program. While one runs, the services of this Windows go on. */
  start(...words: string[]): ChildProcess {
    return spawn('wine', words, { env: this.#environment, stdio: 'ignore' });
  }

  /** Keeps services alive until `close`. `node` is a path of Windows. */
  keep(node: string): void {
    this.#keeper ??= this.start(node, '--eval', 'setInterval(() => undefined, 1e6)');
  }

  close(): void {
    this.#keeper?.kill();
    this.#program('wineserver', ['--kill'], 60_000);
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #program(name: string, words: string[], timeout: number, out?: number): number | null {
    const stdio = ['ignore', out ?? 'ignore', out ?? 'ignore'] as const;
    return spawnSync(name, words, { env: this.#environment, stdio: [...stdio], timeout }).status;
  }
}

/** A library of 64 bits with one function, which is that of another library. */
function passOn(name: string, to: string): Buffer {
  const bytes = Buffer.alloc(0x400);
  bytes.write('MZ');
  bytes.writeUInt32LE(0x40, 0x3c);
  bytes.write('PE\0\0', 0x40);
  bytes.writeUInt16LE(0x8664, 0x44);
  bytes.writeUInt16LE(1, 0x46); // sections
  bytes.writeUInt16LE(0xf0, 0x54); // length of the optional header
  bytes.writeUInt16LE(0x2022, 0x56); // a library
  const head = 0x58;
  bytes.writeUInt16LE(0x20b, head);
  bytes.writeBigUInt64LE(0x180000000n, head + 24);
  for (const [at, value] of [
    [32, 0x1000], // alignment in memory
    [36, 0x200], // alignment in the file
    [56, 0x2000], // length in memory
    [60, 0x200], // length of the heads
    [108, 16], // directories
    [112, 0x1000], // the functions of this library
    [116, 0x200],
  ] as const)
    bytes.writeUInt32LE(value, head + at);
  bytes.writeUInt16LE(6, head + 40);
  bytes.writeUInt16LE(6, head + 48);
  bytes.writeUInt16LE(3, head + 68);
  const section = head + 0xf0;
  bytes.write('.edata', section);
  for (const [at, value] of [8, 12, 16, 20].entries())
    bytes.writeUInt32LE([0x200, 0x1000, 0x200, 0x200][at]!, section + value);
  bytes.writeUInt32LE(0x40000040, section + 36);
  const texts = { library: 0x60, name: 0x80, to: 0xa0 };
  for (const [at, value] of [
    [12, 0x1000 + texts.library],
    [16, 1],
    [20, 1],
    [24, 1],
    [28, 0x1040],
    [32, 0x1044],
    [36, 0x1048],
    [0x40, 0x1000 + texts.to],
    [0x44, 0x1000 + texts.name],
  ] as const)
    bytes.writeUInt32LE(value, 0x200 + at);
  bytes.write('bcryptprimitives.dll', 0x200 + texts.library);
  bytes.write(name, 0x200 + texts.name);
  bytes.write(to, 0x200 + texts.to);
  return bytes;
}
