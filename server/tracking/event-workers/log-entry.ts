import { z } from 'zod';
import { packEntry, unpackEntry, type JsEntry } from '../../replication/nats/index.ts';
import { parsedJson } from '../../platform/parsing/parsed-json.ts';

/** Up to which entry the positions of a source are in the events, in which stream; `''` is the centre. */
const ReadSources = z.record(z.string().max(40), z.object({ epoch: z.string().max(60), sequence: z.int().min(0) }));
export type ReadSources = z.infer<typeof ReadSources>;

/** One step of the log of a partition: applied as a whole or not at all. */
const RevisionStep = z.object({
  /** Sequence of the previous step; 0: there is none. A void entry has another one. */
  previous: z.int().min(0),
  /** The run of the worker that wrote it. */
  owner: z.string().max(100),
  /** The latest stamp in the log, this entry included. */
  stamp: z.string().max(60),
  read: ReadSources,
  /** Events as records, JSON each. */
  events: z.array(z.string()),
  withdrawn: z.array(z.string()),
  /** Vehicle, time and state; null: it is dropped. */
  checkpoints: z.array(z.tuple([z.int(), z.number(), z.string().nullable()])),
});
export type RevisionStep = z.infer<typeof RevisionStep>;

/** The last step of a partition's log that holds, as a reader knows it. */
const LogHead = z.object({
  sequence: z.int(),
  /** Of the last entry of the subject, which may be void. */
  last: z.int(),
  owner: z.string(),
  stamp: z.string(),
  read: ReadSources,
});
export type LogHead = z.infer<typeof LogHead>;

const NO_HEAD: LogHead = { sequence: 0, last: 0, owner: '', stamp: '', read: {} };

export function packLogEntry(entry: RevisionStep) {
  return packEntry(JSON.stringify(entry), false, entry.owner);
}

/** undefined: it is no such entry. */
export async function unpackLogEntry(entry: JsEntry): Promise<RevisionStep | undefined> {
  const { text } = await unpackEntry('', entry);
  return RevisionStep.safeParse(parsedJson(text)).data;
}

export function readLogHead(text: string): LogHead | undefined {
  return LogHead.safeParse(parsedJson(text)).data;
}

/**
 * The head after an entry. `isValid`: the entry follows the head. A server under load may store the entries of two
 * owners that both expected the same one before it: only the first of them follows it, for every reader.
 * @param first the oldest sequence that the stream still has
 */
export function headAfter(head: LogHead | undefined, sequence: number, entry: RevisionStep | undefined, first: number) {
  const isValid = entry !== undefined && (!head || head.sequence < first || entry.previous === head.sequence);
  if (!isValid) return { isValid, head: { ...(head ?? NO_HEAD), last: sequence } };
  const { owner, stamp, read } = entry;
  return { isValid, head: { sequence, last: sequence, owner, stamp, read } satisfies LogHead };
}
