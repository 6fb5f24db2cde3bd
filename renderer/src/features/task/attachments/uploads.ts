import { defineStore } from 'pinia';
import { reactive, ref } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import type { AttachmentItem } from '../../../lib/api/types.ts';
import { uploadFile } from '../../../lib/api/upload.ts';
import { i18n } from '../../../lib/i18n/index.ts';
import { actionProblem } from '../../../lib/i18n/problem-words.ts';
import type { LocalizedText } from '../../../lib/i18n/localized-text.ts';
import { useDispatch } from '../../../lib/stores/dispatch.ts';
import { useSession } from '../../../lib/stores/session.ts';

/** A file on its way to a task. */
export interface PendingUpload {
  readonly id: number;
  readonly taskId: number;
  readonly file: File;
  state: 'waiting' | 'sending' | 'attaching' | 'failed';
  /** 0 to 1 */
  done: number;
  /** Why it has failed. */
  problem: LocalizedText | undefined;
  readonly controller: AbortController;
  readonly batch: UploadBatch;
}

/** Files that were added together. One notice shows their outcome, and one undo takes them back. */
interface UploadBatch {
  readonly taskId: number;
  /** How many are still on their way. */
  under: number;
  readonly attached: Attached[];
}

interface Attached {
  readonly kind: AttachedAs;
  readonly uuid: string;
  readonly name: string;
}

/** Files on their way. They go one after the other, and on while another task is looked at. */
export const useUploads = defineStore('uploads', () => {
  const { client } = useSession();
  const dispatch = useDispatch();
  const { t } = i18n.global;
  const uploads = reactive(new Map<number, PendingUpload>());
  /** Increases whenever files of any task were added or removed. */
  const changes = ref(0);
  let nextId = 1;
  let working = false;

  const of = (taskId: number) => [...uploads.values()].filter((upload) => upload.taskId === taskId);

  function add(taskId: number, files: Iterable<File>): void {
    const all = [...files];
    const batch: UploadBatch = { taskId, under: all.length, attached: [] };
    for (const file of all) {
      const id = nextId++;
      uploads.set(id, {
        id,
        taskId,
        file,
        state: 'waiting',
        done: 0,
        problem: undefined,
        controller: new AbortController(),
        batch,
      });
    }
    void work();
  }

  function again(id: number): void {
    const failed = uploads.get(id);
    if (!failed) return;
    uploads.delete(id);
    add(failed.taskId, [failed.file]);
  }

  /** Also removes a failed upload. */
  function cancel(id: number): void {
    const upload = uploads.get(id);
    upload?.controller.abort();
    uploads.delete(id);
    if (upload?.state === 'waiting') settle(upload.batch); // an upload that is being sent is settled in `send`
  }

  /** Counts a file of the batch as done, failed or cancelled. Shows the outcome after the last one. */
  function settle(batch: UploadBatch): void {
    const { taskId, attached } = batch;
    if (--batch.under > 0 || attached.length === 0) return;
    const said = () =>
      attached.length === 1
        ? t('task.attachments.attached', { name: attached[0]!.name, id: taskId })
        : t('task.attachments.attachedSome', { id: taskId }, attached.length);
    dispatch.offerBack(said, () => takeBack(taskId, attached));
  }

  /** Attachments that somebody else has deleted are already gone. */
  async function takeBack(taskId: number, attached: readonly Attached[]): Promise<void> {
    const uuids = new Set(attached.map(({ uuid }) => uuid));
    for (const kind of new Set(attached.map((one) => one.kind))) {
      const field = kind === 'videos' ? 'video' : kind;
      const path = `/news/${taskId}/${field}`;
      const answer = await client.ask<Record<typeof field, readonly AttachmentItem[]>>(path);
      for (const { id, upload } of answer[field])
        if (upload && uuids.has(upload))
          await client.ask(`${path}/${id}`, { method: 'POST', body: { action: 'delete' } });
    }
    changes.value++;
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      for (let next = waiting(); next; next = waiting()) await send(next);
    } finally {
      working = false;
    }
  }

  function waiting(): PendingUpload | undefined {
    return [...uploads.values()].find(({ state }) => state === 'waiting');
  }

  async function send(upload: PendingUpload): Promise<void> {
    const {
      file,
      controller: { signal },
      taskId,
      id,
      batch,
    } = upload;
    upload.state = 'sending';
    try {
      const uuid = await uploadFile(file, { signal, onProgress: (done) => (upload.done = done) });
      upload.state = 'attaching';
      const kind = uploadFieldOf(await client.typeOf(`/fileload/${uuid}`));
      if (signal.aborted) return;
      await dispatch.update(taskId, { [kind]: [{ file: uuid, fileName: file.name }] });
      const attached = { kind, uuid, name: file.name };
      // it was cancelled while the station took it on
      if (signal.aborted) return void (await dispatch.attempt(() => takeBack(taskId, [attached])));
      batch.attached.push(attached);
      uploads.delete(id);
      changes.value++;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      upload.state = 'failed';
      upload.problem = () => actionProblem(error);
    } finally {
      settle(batch);
    }
  }

  return { of, changes, add, again, cancel };
});

type AttachedAs = 'photos' | 'videos' | 'sounds' | 'files';

/** The kind of attachment, by the content type that the station has detected. */
export function uploadFieldOf(type: string): AttachedAs {
  if (type.startsWith('image/')) return 'photos';
  if (type.startsWith('video/')) return 'videos';
  return type.startsWith('audio/') ? 'sounds' : 'files';
}
