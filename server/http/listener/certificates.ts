import { X509Certificate } from 'node:crypto';
import { readFileSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { createSecureContext } from 'node:tls';
import { Emitter } from '../../platform/emitter.ts';
import { fingerprintOf, isKeyOfCertificate, ownCertificate, type Certificate } from './certificate.ts';

/** Where the administrator's own certificate (PEM, the chain behind it) and its key are. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

interface CertificatesOptions {
  /** Where the station keeps the certificate that it makes for itself. */
  readonly directory: string;
  /** Names and addresses of this machine. */
  readonly names: readonly string[];
  /** undefined: the station makes its own. */
  readonly files: CertificateFiles | undefined;
  readonly now: () => number;
  readonly log: { info(message: string): void; error(message: string): void };
}

/** Days before the end of a certificate at which the station counts as degraded. */
const SOON = 14;
const DAY = 86_400_000;
/** ms between two looks: not every file system reports changes, and the station's own certificate may end. */
const LOOK_INTERVAL = 60_000;
/** ms for a program to write both files. */
const SETTLE = 500;

/**
 * The certificate that the station shows: the administrator's, else one of its own. Files are followed without a
 * restart and never written. Where they cannot be used, the certificate before them stays.
 */
export class Certificates {
  readonly #options: CertificatesOptions;
  readonly #changed: Emitter<[certificate: Certificate]>;
  readonly #watchers: FSWatcher[] = [];
  readonly #timer: NodeJS.Timeout;
  #settling: NodeJS.Timeout | undefined;
  #current: Certificate;
  #isSelfMade: boolean;
  /** Why the files cannot be used. */
  #fault: string | undefined;

  private constructor(options: CertificatesOptions, current: Certificate, isSelfMade: boolean, fault?: string) {
    this.#options = options;
    this.#current = current;
    this.#isSelfMade = isSelfMade;
    this.#fault = fault;
    this.#changed = new Emitter((error) => options.log.error(String(error)));
    this.#timer = setInterval(() => void this.reload(), LOOK_INTERVAL).unref();
    const folders = options.files ? [dirname(options.files.certificate), dirname(options.files.key)] : [];
    for (const folder of new Set(folders)) this.#watch(folder);
  }

  /** Files that cannot be used must not keep a control room from starting: then the station shows its own. */
  static async open(options: CertificatesOptions): Promise<Certificates> {
    const read = options.files && readPair(options.files);
    if (read && typeof read !== 'string') return new Certificates(options, read, false);
    if (read !== undefined)
      options.log.error(`${read} The station uses its own certificate until the files are valid.`);
    const own = await ownCertificate(options.directory, options.names, options.now());
    return new Certificates(options, own, true, read);
  }

  get current(): Certificate {
    return this.#current;
  }

  /** The station made it: browsers warn of it, and no authority vouches for its names. */
  get isSelfMade(): boolean {
    return this.#isSelfMade;
  }

  /** SHA-256, as browsers and linked stations show it. */
  get fingerprint(): string {
    return fingerprintOf(this.#current);
  }

  /** When it ends, in epoch ms. */
  get until(): number {
    return Date.parse(new X509Certificate(this.#current.cert).validTo);
  }

  /** Problems for an administrator, in words. */
  problems(): string[] {
    const days = Math.floor((this.until - this.#options.now()) / DAY);
    const end = new Date(this.until).toISOString().slice(0, 10);
    return [
      ...(this.#fault === undefined ? [] : [this.#fault]),
      ...(days < 0 ? [`The TLS certificate ended on ${end}.`] : []),
      ...(days >= 0 && days < SOON ? [`The TLS certificate ends on ${end}. Renew it.`] : []),
    ];
  }

  /** Calls the listener with each new certificate. Returns the unsubscribe function. */
  onChange(listener: (certificate: Certificate) => void): () => void {
    return this.#changed.on(listener);
  }

  /** Looks at the files, or renews the station's own certificate. Never rejects. */
  async reload(): Promise<void> {
    const { files, log, directory, names, now } = this.#options;
    try {
      const read = files ? readPair(files) : await ownCertificate(directory, names, now());
      if (typeof read === 'string') {
        if (this.#fault !== read) log.error(`${read} The previous certificate stays in use.`);
        this.#fault = read;
        return;
      }
      this.#fault = undefined;
      if (read.cert === this.#current.cert && read.key === this.#current.key) return;
      this.#current = read;
      this.#isSelfMade = files === undefined;
      log.info(`The station uses a new certificate: ${this.fingerprint}, until ${new Date(this.until).toISOString()}.`);
      this.#changed.emit(read);
    } catch (error) {
      log.error(`The certificate could not be renewed: ${(error as Error).message}`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#settling);
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Folders, since programs that renew certificates replace the files or links to them. */
  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        clearTimeout(this.#settling);
        this.#settling = setTimeout(() => void this.reload(), SETTLE).unref();
      });
      watcher.on('error', () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // The folder is not there yet, or cannot be watched: the timer looks.
    }
  }
}

/** A pair that TLS can use, or why it cannot, in words. */
function readPair({ certificate, key }: CertificateFiles): Certificate | string {
  let file = certificate;
  try {
    const cert = readFileSync(certificate, 'utf8');
    file = key;
    const pair = { cert, key: readFileSync(key, 'utf8') };
    file = certificate;
    void new X509Certificate(cert);
    if (/ENCRYPTED/.test(pair.key)) return `The key ${key} is encrypted. Store it without a passphrase.`;
    file = key;
    if (!isKeyOfCertificate(pair)) return `The key ${key} does not belong to the certificate ${certificate}.`;
    createSecureContext(pair);
    return pair;
  } catch (error) {
    return `${file} cannot be used for TLS: ${(error as Error).message}.`;
  }
}
