import type { Readable } from 'node:stream';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';
import { contains, networksOf } from '../../platform/networks.ts';
import { matchesMailPattern } from './mail-fate.ts';
import { LARGEST_MAIL } from './mail-limits.ts';
import { isUnreadable } from './mail-thread.ts';
import type { ReceiverSettings } from './settings.ts';

/** PEM, the chain behind the certificate. */
export interface MailCertificate {
  readonly cert: string;
  readonly key: string;
}

interface ReceiverOptions {
  readonly settings: ReceiverSettings;
  /** Host name that it greets with. */
  readonly name: string;
  /** The current certificate for STARTTLS; undefined: the station has none. */
  certificate(): MailCertificate | undefined;
  /** Takes a mail. Resolves when what it became is on disk. */
  take(source: Buffer): Promise<void>;
  report(message: string, error: unknown): void;
}

const MOST_CLIENTS = 50;
const MOST_RECIPIENTS = 100;
/** bytes of all mails that are being received. */
const MOST_BYTES = 2 * LARGEST_MAIL;
/** ms after which a silent client is disconnected, and which the end waits for mails that are being received. */
const SILENCE = 60_000;
const LAST_WORDS = 2_000;

/**
 * Receives mail by SMTP (RFC 5321, with STARTTLS, SIZE, 8BITMIME and SMTPUTF8) for the addresses and from the networks
 * of its settings. It relays nothing. A mail is confirmed (250) when what it became is on disk; otherwise the sender
 * keeps it and tries again (4xx), or learns that no attempt will do (5xx).
 */
export class MailReceiver {
  readonly #options: ReceiverOptions;
  readonly #taking = new Mutex();
  #server: SMTPServer | undefined;
  #certificate: MailCertificate | undefined;
  #bytes = 0;
  #problem = '';

  private constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Listens, or has a `problem`. */
  static async open(options: ReceiverOptions): Promise<MailReceiver> {
    const receiver = new MailReceiver(options);
    await receiver.#listen();
    return receiver;
  }

  /** Why it does not listen; empty: it does. */
  get problem(): string {
    return this.#problem;
  }

  /** Resolves when nothing is being taken any more. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
    await this.#taking.run(() => Promise.resolve());
  }

  async #listen(): Promise<void> {
    const { settings, name, report } = this.#options;
    // Only a station that receives mail loads it.
    const { SMTPServer } = await import('smtp-server');
    this.#certificate = this.#options.certificate();
    const server = new SMTPServer({
      ...{ name, banner: 'Waypost', logger: false, size: LARGEST_MAIL, rejectOversized: true, authOptional: true },
      ...{ maxClients: MOST_CLIENTS, maxRecipients: MOST_RECIPIENTS, socketTimeout: SILENCE, closeTimeout: LAST_WORDS },
      ...{ disableReverseLookup: true, hideENHANCEDSTATUSCODES: false, lenientAddressParsing: true },
      disabledCommands: ['AUTH', ...(this.#certificate ? [] : ['STARTTLS'])],
      ...this.#certificate,
      onConnect: ({ remoteAddress }, done) =>
        done(this.#isAllowed(remoteAddress) ? null : fault(554, 'No mail is taken from here')),
      onRcptTo: ({ address }, _session, done) =>
        done(this.#isOurs(address) ? null : fault(550, 'There is no such address here')),
      onData: (stream, session, done) => void this.#receive(stream, session).then(() => done(), done),
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Later errors come from clients that disconnect.
    server.on('error', reject);
    server.listen(settings.port, settings.host, resolve);
    try {
      await promise;
      this.#server = server;
    } catch (error) {
      this.#problem = (error as Error).message;
      report('Mail cannot be received by SMTP.', error);
    }
  }

  #isAllowed(remoteAddress: string): boolean {
    this.#renewCertificate();
    const networks = networksOf(this.#options.settings.networks);
    return networks !== undefined && contains(networks, remoteAddress.replace(/^::ffff:/, ''));
  }

  #isOurs(address: string): boolean {
    const { recipients } = this.#options.settings;
    return recipients.length === 0 || recipients.some((pattern) => matchesMailPattern(pattern, address));
  }

  /** The station's certificate is renewed while the receiver listens. */
  #renewCertificate(): void {
    const now = this.#options.certificate();
    if (!now || !this.#certificate || now.cert === this.#certificate.cert) return;
    this.#certificate = now;
    this.#server?.updateSecureContext({ cert: now.cert, key: now.key });
  }

  async #receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const mail = await this.#read(stream);
    // The server refuses it by itself.
    if (stream.sizeExceeded) return;
    try {
      await this.#taking.run(() => this.#options.take(Buffer.concat([envelopeOf(session), ...mail])));
    } catch (error) {
      throw this.#answerTo(error);
    } finally {
      this.#bytes -= sizeOf(mail);
    }
  }

  async #read(stream: Readable & { sizeExceeded: boolean }): Promise<Buffer[]> {
    const mail: Buffer[] = [];
    let isFull = false;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        isFull ||= this.#bytes + chunk.length > MOST_BYTES;
        if (isFull || stream.sizeExceeded) continue;
        mail.push(chunk);
        this.#bytes += chunk.length;
      }
    } catch (error) {
      this.#bytes -= sizeOf(mail);
      throw error;
    }
    if (!isFull && !stream.sizeExceeded) return mail;
    this.#bytes -= sizeOf(mail);
    if (isFull && !stream.sizeExceeded) throw fault(452, 'Too many mails at once, try again later');
    return [];
  }

  #answerTo(error: unknown): Error {
    const { report } = this.#options;
    if (isUnreadable(error)) return fault(554, 'The mail cannot be read');
    if (error instanceof Refusal && error.code === 'mailbox.tooMany')
      return fault(451, 'Too many mails, try again later');
    report('A mail could not be taken. Its sender keeps it and tries again.', error);
    return fault(451, 'The mail cannot be taken now, try again later');
  }
}

const sizeOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** The envelope as headers (RFC 5321, section 4.4). */
function envelopeOf({ envelope: { mailFrom, rcptTo } }: SMTPServerSession): Buffer {
  const lines = [`Return-Path: <${mailFrom ? mailFrom.address : ''}>`];
  for (const { address } of rcptTo) lines.push(`Delivered-To: ${address}`);
  return Buffer.from(`${lines.join('\r\n').replaceAll(/[^\P{Cc}\r\n]/gu, '')}\r\n`);
}

function fault(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
