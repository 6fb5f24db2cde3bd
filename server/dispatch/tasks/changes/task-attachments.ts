import { requireMay, type Actor } from '../../../../shared/access.ts';
import type { Attachment, StateRule, Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { mainPhotoAfter, type AttachmentKindName, type Attachments } from '../../files/index.ts';
import type { Records, Store } from '../../../store/types.ts';
import { attached, COUNTED, NOTHING_ATTACHED } from './attached.ts';
import type { TaskChanges } from './task-changes.ts';

interface TaskAttachmentsOptions {
  readonly store: Store;
  readonly changes: TaskChanges;
  readonly attachments: Pick<Attachments, 'remove' | 'restore' | 'of' | 'ofNow'>;
  /** The task if the actor may see it; refuses otherwise. */
  seen(actor: Actor, id: number): Task;
  /** The state rules in force. */
  rules(): readonly StateRule[];
}

/** The attachments of a task: lists, removes and restores them, and keeps its counts and its title photo. */
export class TaskAttachments {
  readonly #options: TaskAttachmentsOptions;
  readonly #tasks: Records<Task>;

  constructor(options: TaskAttachmentsOptions) {
    this.#options = options;
    this.#tasks = options.store.records('tasks');
  }

  /** Attachments of a task that the actor may see. */
  of(actor: Actor, id: number, kind?: AttachmentKindName): Attachment[] {
    const { seen, attachments } = this.#options;
    seen(actor, id);
    return attachments.of(id, kind);
  }

  /** Removes an attachment. The next photo becomes the title photo. */
  async remove(actor: Actor, id: number, kind: AttachmentKindName, attachmentId: number): Promise<void> {
    const { changes, attachments } = this.#options;
    await this.#change(actor, id, async () => {
      const all = await attachments.ofNow(id, kind);
      const attachment = all.find((one) => one.id === attachmentId);
      if (!attachment) throw new Refusal('tasks.noAttachment', { id, what: kind, file: attachmentId });
      await attachments.remove(attachment);
      const left = all.map(({ num }) => num).filter((num) => num !== attachment.num);
      await changes.change(actor, id, (task, now) => ({
        ...attached(task, { ...NOTHING_ATTACHED, [COUNTED[kind]]: -1 }, [], undefined, now),
        mainPhoto: kind === 'photo' ? mainPhotoAfter(attachment.num, task.mainPhoto, left) : task.mainPhoto,
      }));
    });
  }

  /** Restores a removed attachment. A photo becomes the title photo only if there is no other. */
  async restore(actor: Actor, id: number, kind: AttachmentKindName, attachmentId: number): Promise<void> {
    const { changes, attachments } = this.#options;
    await this.#change(actor, id, async () => {
      const { num } = await attachments.restore(id, kind, attachmentId);
      await changes.change(actor, id, (task, now) =>
        attached(task, { ...NOTHING_ATTACHED, [COUNTED[kind]]: 1 }, kind === 'photo' ? [num] : [], undefined, now),
      );
    });
  }

  /** One transaction on the attachments of a task that the actor sees and may attach to. */
  async #change(actor: Actor, id: number, work: () => Promise<void>): Promise<void> {
    const { store, seen, rules } = this.#options;
    seen(actor, id);
    await store.transaction(async () => {
      requireMay(actor, 'attach', this.#tasks.require(id, 'tasks.missing'), rules(), id);
      await work();
    });
  }
}
