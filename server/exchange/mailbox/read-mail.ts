import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser';
import { Refusal } from '../../../shared/refusal.ts';
import { natureOf, type MailNature } from './mail-nature.ts';
import { LONGEST_TEXT } from './mail-limits.ts';

/** A mail as the rules see it. */
export interface IncomingMail {
  /** The same for each copy of one mail, and for no other mail. */
  readonly key: string;
  /** With its angle brackets; empty: it has none. */
  readonly mailId: string;
  /** Message-IDs of the mails that it answers, the nearest first. */
  readonly answers: readonly string[];
  /** In lower case; empty: the mail names no sender. */
  readonly from: string;
  readonly fromName: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** epoch ms, as the sender says; null: it does not. */
  readonly writtenAt: number | null;
  readonly text: string;
  readonly nature: MailNature;
  readonly files: readonly MailFile[];
  /** It was longer than the station reads. */
  readonly isCut: boolean;
}

export interface MailFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Characters of HTML that are made text where a mail has nothing else. */
const LONGEST_HTML = 500_000;
/** bytes that are parsed before other work has its turn. */
const CHUNK = 65_536;
/** bytes: a smaller picture within the text is a logo or a signature. */
const SMALL_PICTURE = 20_000;

/** Reads a mail (RFC 5322, MIME). Refuses other text. */
export async function readMail(source: Buffer, isCut = false): Promise<IncomingMail> {
  const parsed = await simpleParser(Readable.from(inChunks(source)), {
    skipImageLinks: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    maxHtmlLengthToParse: LONGEST_HTML,
    checksumAlgo: false,
  }).catch(() => undefined);
  if (!parsed || parsed.headerLines.every(({ key }) => key === '')) throw new Refusal('mailbox.noMail');
  const [sender] = addressesIn(parsed.from);
  const subject = cleaned(parsed.subject ?? '').trim();
  return {
    key: keyOf(parsed, source),
    mailId: mailIdOf(parsed),
    answers: answersOf(parsed),
    from: sender?.address.toLowerCase() ?? '',
    fromName: cleaned(sender?.name ?? ''),
    to: receiversOf(parsed),
    subject,
    writtenAt: parsed.date && Number.isFinite(parsed.date.getTime()) ? parsed.date.getTime() : null,
    text: cleaned((parsed.text ?? '').slice(0, LONGEST_TEXT))
      .replaceAll('\r\n', '\n')
      .trim(),
    nature: natureOf((name) => headerOf(parsed, name), sender?.address ?? ''),
    // The last file of a truncated mail is incomplete.
    files: isCut ? [] : filesOf(parsed),
    isCut,
  };
}

async function* inChunks(source: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.length; at += CHUNK) {
    yield source.subarray(at, at + CHUNK);
    await nextTurn();
  }
}

/** A sender can choose any Message-ID, and could hide somebody else's mail behind it. */
function keyOf(parsed: ParsedMail, source: Buffer): string {
  const { from, subject, date } = parsed;
  const mailId = mailIdOf(parsed);
  const digest = createHash('sha256');
  if (mailId) digest.update(JSON.stringify([mailId, from?.text, subject, date?.getTime()]));
  else digest.update(source);
  return digest.digest('base64url');
}

function mailIdOf(parsed: ParsedMail): string {
  return /<[^<>\s]+>/.exec(headerOf(parsed, 'message-id') ?? '')?.[0] ?? '';
}

function answersOf({ inReplyTo, references }: ParsedMail): string[] {
  const ids = [inReplyTo ?? '', ...[references ?? []].flat().reverse()].flatMap(
    (text) => text.match(/<[^<>\s]+>/g) ?? [],
  );
  return [...new Set(ids)].slice(0, 50);
}

/** Those that the mail names, then those that it was delivered to. */
function receiversOf(parsed: ParsedMail): string[] {
  const named = [parsed.to, parsed.cc].flatMap(addressesIn).map(({ address }) => address);
  const delivered = parsed.headerLines
    .filter(({ key }) => key === 'delivered-to')
    .map(({ line }) => cleaned(line.slice(line.indexOf(':') + 1)).trim());
  return [...new Set([...named, ...delivered].map((address) => address.toLowerCase()))];
}

function filesOf({ attachments }: ParsedMail): MailFile[] {
  return attachments
    .filter(({ related, size, contentType }) => !(related && size < SMALL_PICTURE && contentType.startsWith('image/')))
    .map(({ filename, content }, index) => ({ name: cleaned(filename ?? '') || `file-${index + 1}`, content }));
}

function headerOf({ headerLines }: ParsedMail, name: string): string | undefined {
  const line = headerLines.find(({ key }) => key === name)?.line;
  return line?.slice(line.indexOf(':') + 1).trim();
}

function addressesIn(field: AddressObject | AddressObject[] | undefined): { address: string; name: string }[] {
  return [field ?? []]
    .flat()
    .flatMap(({ value }) => value.flatMap((one) => one.group ?? [one]))
    .flatMap(({ address, name }) => (address ? [{ address: cleaned(address), name }] : []));
}

/** Without control characters, which no field of a record may hold. */
function cleaned(text: string): string {
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
}
