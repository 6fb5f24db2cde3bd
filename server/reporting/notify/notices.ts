import { ID_SPACE } from '../../../shared/ids.ts';
import type { Comment, HistoryEntry, Task } from '../../../shared/records/index.ts';
import { languageOf } from '../reports/index.ts';
import type { Store } from '../../store/types.ts';
import { NO_ADDRESS } from './mail-queue.ts';
import {
  compose,
  organizationReads,
  occasionOf,
  isSame,
  recipientsOf,
  type NoticeReason,
  type Occasion,
  type Recipient,
} from './compose.ts';

/** Facts about people that notices need. The composition root supplies the answers. */
export interface People {
  user(id: number): Recipient | undefined;
  organization(id: number): Recipient | undefined;
  maySee(userId: number, task: Task): boolean;
  /** Ids of those who watch the task. */
  watchers(task: Task): readonly number[];
  /** Ids of those whom a comment names. */
  named(comment: Comment): readonly number[];
  mayRead(userId: number, comment: Comment, task: Task): boolean;
}

interface NoticesOptions {
  readonly store: Store;
  readonly people: People;
  readonly now: () => number;
  /** Called when mail was put into the queue. */
  readonly queued: () => void;
  readonly report: (message: string, error: unknown) => void;
}

const STEP = 100;

/**
 * Writes notices about the history and the comments of this station. The position reached is stored in the
 * same commit as the notices, so a crash repeats none and loses none. Other stations write their own. The
 * position counts in the order of writing: of two comments at one time, the one with the lower id may be
 * written last.
 */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #stops: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { store } = this.#options;
    for (const source of SOURCES) if (this.#writtenUpTo(source) === undefined) await this.#begin(source);
    this.#stops.push(
      store.records('history').watch(() => this.#wake()),
      store.records('comments').watch(() => this.#wake()),
    );
    this.#wake();
  }

  /** Resolves when all due notices are written. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.idle();
  }

  #wake(): void {
    this.#again = true;
    this.#running ??= this.#work()
      .catch((error: unknown) => this.#options.report('Notices could not be written.', error))
      .finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (const source of SOURCES) if (await this.#step(source)) this.#again = true;
    }
  }

  /** Writes notices for some of the new records; false when there were none. */
  async #step(source: Source): Promise<boolean> {
    const { store } = this.#options;
    const { records, checkpoint } = store.feed.since(source, this.#writtenUpTo(source)!, STEP);
    if (records.length === 0) return false;
    const own = records
      .map(({ record }) => record as unknown as HistoryEntry & Comment)
      .filter(({ id }) => Math.floor(id / ID_SPACE) === store.stationNumber);
    const notices = source === 'history' ? this.#ofHistory(own) : this.#ofComments(own);
    await store.writePlain((sql) => {
      for (const notice of notices) this.#put(sql, notice);
      sql.prepare('UPDATE notice_heads SET seq = ? WHERE source = ?').run(checkpoint, source);
    });
    if (notices.length > 0) this.#options.queued();
    return true;
  }

  #ofHistory(entries: readonly HistoryEntry[]): Notice[] {
    const { people } = this.#options;
    const changes = Map.groupBy(entries, ({ taskId, at, userId }) => `${taskId}/${at}/${userId}`);
    return [...changes.values()].flatMap((change) => {
      const task = this.#task(change[0]!.taskId);
      if (!task) return [];
      const assignedTo = [
        people.organization(task.assignedOrganizationId)?.name,
        people.user(task.assignedUserId)?.name,
      ]
        .filter(Boolean)
        .join(', ');
      const occasion = occasionOf(change, { assignedTo, by: people.user(change[0]!.userId)?.name ?? '' });
      if (!occasion) return [];
      const watching = people.watchers(task).filter((id) => id !== change[0]!.userId);
      return this.#notices(task, occasion, { watching, named: [] }, () => true);
    });
  }

  #ofComments(comments: readonly Comment[]): Notice[] {
    const { people } = this.#options;
    return comments.flatMap((comment) => {
      const task = this.#task(comment.taskId);
      if (!task) return [];
      const author = people.user(comment.authorId)?.name ?? '';
      const occasion: Occasion = {
        assignedTo: '',
        status: 0,
        comment: { author, text: comment.text },
        by: author,
        at: comment.at,
      };
      const named = people.named(comment);
      const watching = people.watchers(task).filter((id) => id !== comment.authorId && !named.includes(id));
      return this.#notices(task, occasion, { watching, named }, ({ userId }) =>
        userId === 0 ? organizationReads(comment) : people.mayRead(userId, comment, task),
      );
    });
  }

  /** A task that asks for notices, or has somebody who does. */
  #task(id: number): Task | undefined {
    const task = this.#options.store.records('tasks').get(id);
    return task && !task.isDeleted ? task : undefined;
  }

  #notices(task: Task, occasion: Occasion, wanted: Wanted, mayRead: (recipient: Recipient) => boolean): Notice[] {
    const { people } = this.#options;
    const sender = people.organization(task.organizationId);
    const language = languageOf(task.title, task.text);
    return this.#recipients(task, wanted)
      .filter(({ recipient: { userId } }) => userId === 0 || people.maySee(userId, task))
      .filter(({ recipient }) => mayRead(recipient))
      .map(({ recipient, reason, byPost }) => ({
        taskId: task.id,
        organizationId: task.organizationId,
        recipient,
        ...compose(task, occasion, language, reason),
        sender: { name: sender?.name ?? '', address: sender?.address ?? '' },
        byPost,
      }));
  }

  /** Each person and address once: as named, else as asked by the task, else as watching. */
  #recipients(task: Task, { watching, named }: Wanted): Addressed[] {
    const { people } = this.#options;
    const asked = task.notice > 0 ? recipientsOf(task, people) : [];
    const ofUsers = (ids: readonly number[]) => ids.flatMap((id) => people.user(id) ?? []);
    const all = [
      ...ofUsers(named).map((recipient) => ({ recipient, reason: 'named' as const })),
      ...asked.map((recipient) => ({ recipient, reason: 'asked' as const })),
      ...ofUsers(watching).map((recipient) => ({ recipient, reason: 'watching' as const })),
    ];
    return all
      .filter(({ recipient }, index) => !all.slice(0, index).some((before) => isSame(before.recipient, recipient)))
      .map((one) => ({
        ...one,
        byPost: task.notice === 2 && asked.some((other) => other === one.recipient || isSame(other, one.recipient)),
      }));
  }

  #put(sql: Store['sql'], { taskId, organizationId, recipient, subject, text, sender, byPost }: Notice): void {
    const now = this.#options.now();
    if (recipient.mail === '' && recipient.userId === 0) {
      sql
        .prepare(
          "INSERT INTO mail (at, task_id, organization_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (?, ?, ?, ?, '', ?, ?, 'failed', 0, ?, NULL, ?)",
        )
        .run(now, taskId, organizationId, recipient.name, subject, text, now, NO_ADDRESS);
    } else if (recipient.mail !== '') {
      sql
        .prepare(
          "INSERT INTO mail (at, task_id, organization_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?, NULL, '')",
        )
        .run(now, taskId, organizationId, recipient.name, recipient.mail, subject, text, now);
    }
    if (byPost) {
      sql
        .prepare(
          'INSERT INTO post (at, task_id, organization_id, name, address, sender, sender_address, subject, text, printed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)',
        )
        .run(
          now,
          taskId,
          organizationId,
          recipient.name,
          recipient.address,
          sender.name,
          sender.address,
          subject,
          text,
        );
    }
  }

  /** The sequence number up to which notices are written, or undefined were written yet. */
  #writtenUpTo(source: Source): number | undefined {
    const row = this.#options.store.sql.prepare('SELECT seq FROM notice_heads WHERE source = ?').get(source);
    return row && Number(row['seq']);
  }

  /**
   * A station without notices so far does not begin with those of past years. One that counted by ids
   * continues at its place.
   */
  async #begin(source: Source): Promise<void> {
    const { store } = this.#options;
    await store.writePlain((sql) => {
      const former = sql.prepare('SELECT last FROM notice_checkpoints WHERE source = ?').get(source);
      const { seq } = former
        ? sql
            .prepare(`SELECT coalesce(max(seq), 0) AS seq FROM ${store.table(source)} WHERE key <= ?`)
            .get(former['last']!)!
        : { seq: store.feed.head() };
      sql.prepare('INSERT INTO notice_heads (source, seq) VALUES (?, ?)').run(source, seq!);
    });
  }
}

/** Records in these are never changed or deleted. */
const SOURCES = ['history', 'comments'] as const;
type Source = (typeof SOURCES)[number];

/** Ids of users who want notices of a task, beside those that it names itself. */
interface Wanted {
  readonly watching: readonly number[];
  readonly named: readonly number[];
}

interface Addressed {
  readonly recipient: Recipient;
  readonly reason: NoticeReason;
  readonly byPost: boolean;
}

interface Notice {
  readonly taskId: number;
  readonly organizationId: number;
  readonly recipient: Recipient;
  readonly subject: string;
  readonly text: string;
  readonly sender: { readonly name: string; readonly address: string };
  readonly byPost: boolean;
}
