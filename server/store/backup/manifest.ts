import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { readReason, type Reason } from '../../../shared/refusals/reason.ts';
import { decryptStream, encryptStream } from './age-stream.ts';
import { isPartOfBackup } from './parts.ts';
import type { SealingKey } from './sealing.ts';

/** A file of a backup. */
const Part = z.object({
  name: z.string().refine(isPartOfBackup),
  object: z.string(),
  size: z.int().min(0),
  /** Size and time of the file that was copied: when both are the same, so is the content. */
  source: z.object({ size: z.int(), modified: z.number() }).optional(),
});
export type Part = z.output<typeof Part>;

const Body = z.object({
  format: z.literal(2),
  id: z.string(),
  /** ISO 8601 */
  madeAt: z.string(),
  station: z.object({ id: z.string(), number: z.int() }),
  version: z.string(),
  /** Bytes of its files, and those that it added to the folder. */
  size: z.number(),
  added: z.number(),
  /** Files that could not be copied, and why. */
  problems: z.array(z.unknown()),
  /** Id of the key that encrypts it; null: it is not encrypted. */
  key: z.string().nullable(),
  objects: z.array(z.string()),
  /** The files, in an encrypted backup as an age file in base64. */
  parts: z.union([z.array(Part), z.string()]),
});

export interface Manifest extends Omit<z.output<typeof Body>, 'problems'> {
  readonly problems: readonly Reason[];
}

/** The file of a manifest: one line of JSON, and the SHA-256 of it. */
export function manifestText(manifest: Manifest): string {
  const line = JSON.stringify(manifest);
  return `${line}\n${sumOf(line)}\n`;
}

/** Throws a Refusal when the text is damaged, or of a newer program. */
export function parseManifest(text: string, file: string): Manifest {
  const [line = '', sum] = text.split('\n');
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch (error) {
    throw new Refusal('backup.damagedManifest', { file }, { cause: error });
  }
  const { format } = z.object({ format: z.number() }).safeParse(found).data ?? {};
  if (format !== undefined && format > 2) throw new Refusal('backup.newer', { file });
  const { data } = Body.safeParse(found);
  if (sum !== sumOf(line) || !data) throw new Refusal('backup.damagedManifest', { file });
  return { ...data, problems: data.problems.flatMap((problem) => readReason(problem) ?? []) };
}

/** The files of a backup, as its manifest holds them. */
export async function sealParts(parts: readonly Part[], key: SealingKey | undefined): Promise<Part[] | string> {
  if (!key) return [...parts];
  const sealed = encryptStream(once(Buffer.from(JSON.stringify(parts))), key.recipient);
  return (await bytesOf(sealed)).toString('base64');
}

/** @param key of an encrypted manifest */
export async function backupParts(manifest: Manifest, key: SealingKey | undefined): Promise<readonly Part[]> {
  if (typeof manifest.parts !== 'string') return manifest.parts;
  const opened = decryptStream(once(Buffer.from(manifest.parts, 'base64')), key!.identity);
  return z.array(Part).parse(JSON.parse((await bytesOf(opened)).toString()));
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function sumOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}
