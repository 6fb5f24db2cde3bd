import { ApiError, type Client } from '../api/client.ts';
import type { RecordFill } from './beginning.ts';
import type { ReplicaCheckpoint, KeptDocument, KeptRecords } from './kept-records.ts';

/** ms for the whole stream: 50,000 vehicles over a line of 1 Mbit/s take half a minute. */
const PATIENCE_MS = 120_000;

/**
 * The first load of vehicles: one stream instead of a hundred pages, read in chunks. If it breaks, it starts
 * again with its first checkpoint: deletions in the meantime come by pages from there.
 */
export class VehicleFill implements RecordFill {
  private readonly client: Client;
  private readonly kept: KeptRecords | undefined;
  private lines: AsyncGenerator<readonly KeptDocument[]> | undefined;
  private begin: ReplicaCheckpoint | undefined;

  constructor(client: Client, kept?: KeptRecords) {
    this.client = client;
    this.kept = kept;
  }

  /** The next chunk; undefined: all are here, and pages follow from `checkpoint`. */
  async next(): Promise<readonly KeptDocument[] | undefined> {
    try {
      this.lines ??= await this.open();
      const { value, done } = await this.lines.next();
      this.kept?.put('vehicles', done ? [] : value, done ? this.begin : undefined);
      return done ? undefined : value;
    } catch (error) {
      this.lines = undefined;
      throw error;
    }
  }

  get checkpoint(): ReplicaCheckpoint {
    return this.begin!;
  }

  private async open(): Promise<AsyncGenerator<readonly KeptDocument[]>> {
    const response = await this.client.open('/replica/vehicles/fill', { patience: PATIENCE_MS });
    const epoch = response.headers.get('waypost-epoch');
    const after = response.headers.get('waypost-checkpoint');
    if (epoch === null || after === null || response.body === null) throw new ApiError(0, '');
    // In another epoch nothing of the first attempt holds: its pages will say so.
    this.begin ??= { epoch, after };
    return linesOf(response.body);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly KeptDocument[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as readonly KeptDocument[];
  }
  if (rest !== '') throw new ApiError(0, '');
}
