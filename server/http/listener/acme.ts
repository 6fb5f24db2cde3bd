import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import type { Client } from 'acme-client';
import type { CertificateFiles } from './certificates.ts';

export interface AcmeSettings {
  /** The public name of the station. */
  readonly name: string;
  /** Where the authority writes to when something is wrong; null: nowhere. */
  readonly email: string | null;
  /** Address of the authority's ACME directory. */
  readonly directory: string;
  /** PEM file of the authority that signed the directory's own certificate; null: the well-known ones. */
  readonly authority: string | null;
}

interface AcmeOptions extends AcmeSettings {
  /** Where the key, the certificate and the key of the account are kept. */
  readonly folder: string;
  readonly now: () => number;
  readonly log: { info(message: string): void; error(message: string): void };
  /** Both files are written. */
  readonly renewed: () => unknown;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Before its end a certificate is renewed; authorities give some for 90 days, some for 47. */
const RENEWAL = 30 * DAY;
const SHARE = 3;
/** ms between two looks, and between attempts that fail: authorities limit those. */
const LOOK_INTERVAL = 12 * HOUR;
const FIRST_RETRY = HOUR / 6;

/** When a certificate is due: 30 days before its end, or at the last third of a short life. */
export function isDue({ validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>, now: number): boolean {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return now > to - Math.min(RENEWAL, (to - from) / SHARE);
}

/** The files that the station shows, once the authority has signed. */
export function acmeFiles(folder: string): CertificateFiles {
  return { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
}

/**
 * Has the certificate signed and renewed by an authority (ACME, RFC 8555). The authority asks for a text at
 * `/.well-known/acme-challenge/…` on port 80 of the public name, which must lead to the station's HTTP port.
 */
export class AcmeRenewal {
  readonly #options: AcmeOptions;
  /** Answers that the authority asks for, by token. */
  readonly #answers = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #fault: string | undefined;
  #isClosed = false;

  private constructor(options: AcmeOptions) {
    this.#options = options;
  }

  static start(options: AcmeOptions): AcmeRenewal {
    const renewal = new AcmeRenewal(options);
    void renewal.#look();
    return renewal;
  }

  /** The text for the authority; undefined: nothing is asked by this token. */
  answer(token: string): string | undefined {
    return this.#answers.get(token);
  }

  problems(): string[] {
    return this.#fault === undefined ? [] : [this.#fault];
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { log, name, renewed } = this.#options;
    let wait = LOOK_INTERVAL;
    try {
      if (!this.#isCurrent()) {
        await this.#obtain();
        log.info(`The authority has signed a certificate for ${name}.`);
        await renewed();
      }
      this.#failures = 0;
      this.#fault = undefined;
    } catch (error) {
      wait = Math.min(FIRST_RETRY * 2 ** this.#failures++, LOOK_INTERVAL);
      this.#fault = `The authority did not sign a certificate for ${name}: ${(error as Error).message}`;
      log.error(`${this.#fault} Retrying in ${Math.round(wait / 60_000)} min.`);
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#look(), wait).unref();
  }

  #isCurrent(): boolean {
    const { certificate } = acmeFiles(this.#options.folder);
    if (!existsSync(certificate)) return false;
    const current = new X509Certificate(readFileSync(certificate, 'utf8'));
    return current.checkHost(this.#options.name) !== undefined && !isDue(current, this.#options.now());
  }

  async #obtain(): Promise<void> {
    const { folder, name, email, directory, authority } = this.#options;
    // Loaded only where it is set: most stations never need it.
    const { default: acme } = await import('acme-client');
    // It would try for 75 s, and hold up the end of the program meanwhile; this class tries again by itself.
    const { acmeSettings } = acme.axios.defaults as unknown as { acmeSettings: { retryMaxAttempts: number } };
    acmeSettings.retryMaxAttempts = 0;
    const agent = authority === null ? undefined : new Agent({ ca: readFileSync(authority, 'utf8') });
    if (agent) acme.axios.defaults.httpsAgent = agent;
    await reach(directory, agent);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = acmeFiles(folder);
    const isKnown = existsSync(join(folder, 'account.pem'));
    const accountKey = await keptOrMade(join(folder, 'account.pem'), () => acme.crypto.createPrivateEcdsaKey());
    // Always the same key: linked stations remember it.
    const key = await keptOrMade(files.key, () => acme.crypto.createPrivateEcdsaKey());
    const [, csr] = await acme.crypto.createCsr({ commonName: name, altNames: [name] }, key);
    const client = new acme.Client({ directoryUrl: directory, accountKey });
    if (isKnown) await findAccount(client);
    const certificate = await client.auto({
      csr,
      ...(email !== null && { email }),
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // From inside, the public name may lead elsewhere.
      skipChallengeVerification: true,
      challengeCreateFn: async (_authorization, challenge, answer) => void this.#answers.set(challenge.token, answer),
      challengeRemoveFn: async (_authorization, challenge) => void this.#answers.delete(challenge.token),
    });
    replace(files.certificate, certificate);
  }
}

/**
 * Looks up the account of the key. `auto` would register it again and update nothing, which some authorities
 * refuse: then no certificate would be renewed.
 */
async function findAccount(client: Client): Promise<void> {
  try {
    await client.createAccount({ onlyReturnExisting: true });
  } catch (error) {
    // The authority does not know the account: `auto` makes one.
    if (!/account/i.test((error as Error).message)) throw error;
  }
}

/** Rejects with the reason where there is no connection: the library has no words for that. */
function reach(address: string, agent: Agent | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(address, { ...(agent && { agent }), timeout: 10_000 }, (answer) => {
      answer.resume();
      resolve();
    });
    asked.on('timeout', () => asked.destroy(new Error('It does not answer.'))).on('error', reject);
  });
}

async function keptOrMade(file: string, make: () => Promise<Buffer>): Promise<string> {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const made = (await make()).toString();
  replace(file, made);
  return made;
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
