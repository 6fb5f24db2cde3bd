import type { ReplicaCheckpoint, KeptDocument, KeptRecords } from './kept-records.ts';
import type { ReplicaName } from './schemas.ts';

/** Records that come before the first page, in chunks. */
export interface RecordFill {
  /** Undefined: all have come, and pages follow from `checkpoint`. */
  next(): Promise<readonly KeptDocument[] | undefined>;
  readonly checkpoint: ReplicaCheckpoint;
}

interface Part {
  readonly documents: readonly KeptDocument[];
  /** Undefined: more parts follow. */
  readonly checkpoint: ReplicaCheckpoint | undefined;
}

const CHUNK = 1_000;

/** The browser cannot read what it kept. */
export class KeptLost extends Error {}

/** The kept part of a collection. */
export class KeptFill implements RecordFill {
  readonly checkpoint: ReplicaCheckpoint;
  private readonly kept: KeptRecords;
  private readonly name: ReplicaName;
  private after = '';

  constructor(kept: KeptRecords, name: ReplicaName, checkpoint: ReplicaCheckpoint) {
    this.kept = kept;
    this.name = name;
    this.checkpoint = checkpoint;
  }

  async next(): Promise<readonly KeptDocument[] | undefined> {
    const documents = await this.kept.page(this.name, this.after, CHUNK).catch((cause: unknown) => {
      throw new KeptLost('What was kept cannot be read.', { cause });
    });
    this.after = documents.at(-1)?.key ?? this.after;
    return documents.length === 0 ? undefined : documents;
  }
}

/** Makes parts of at least `size` of a fill. The last one is given again until a page has followed it. */
export class Beginning {
  private readonly fill: RecordFill;
  private last: Part | undefined;

  constructor(fill: RecordFill) {
    this.fill = fill;
  }

  async next(size: number): Promise<Part> {
    if (this.last) return this.last;
    const documents: KeptDocument[] = [];
    while (documents.length < size) {
      const chunk = await this.fill.next();
      if (chunk === undefined) return (this.last = { documents, checkpoint: this.fill.checkpoint });
      documents.push(...chunk);
    }
    return { documents, checkpoint: undefined };
  }
}
