import { defineStore } from 'pinia';
import { reactive } from 'vue';
import { ApiError } from '../api/client.ts';
import { uploadFile } from '../api/upload.ts';
import { i18n } from '../words/index.ts';
import { useDispatch } from './dispatch.ts';
import { useSession } from './session.ts';

/** A file on its way to a task. */
export interface Upload {
  readonly id: number;
  readonly taskId: number;
  readonly file: File;
  state: 'waiting' | 'sending' | 'attaching' | 'failed';
  /** 0 to 1 */
  done: number;
  problem: string;
  readonly controller: AbortController;
}

/** Files on their way. They go one after the other, and on while another task is looked at. */
export const useUploads = defineStore('uploads', () => {
  const { client } = useSession();
  const dispatch = useDispatch();
  const uploads = reactive(new Map<number, Upload>());
  let nextId = 1;
  let working = false;

  const of = (taskId: number) => [...uploads.values()].filter((upload) => upload.taskId === taskId);

  function add(taskId: number, files: Iterable<File>): void {
    for (const file of files) {
      const id = nextId++;
      uploads.set(id, { id, taskId, file, state: 'waiting', done: 0, problem: '', controller: new AbortController() });
    }
    void work();
  }

  function again(id: number): void {
    const failed = uploads.get(id);
    if (!failed) return;
    uploads.delete(id);
    add(failed.taskId, [failed.file]);
  }

  /** Also takes away what has failed. */
  function cancel(id: number): void {
    uploads.get(id)?.controller.abort();
    uploads.delete(id);
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

  function waiting(): Upload | undefined {
    return [...uploads.values()].find(({ state }) => state === 'waiting');
  }

  async function send(upload: Upload): Promise<void> {
    const { file, controller: { signal }, taskId, id } = upload;
    upload.state = 'sending';
    try {
      const uuid = await uploadFile(file, { signal, onProgress: (done) => (upload.done = done) });
      upload.state = 'attaching';
      const kind = fieldOf(await client.typeOf(`/fileload/${uuid}`));
      if (signal.aborted) return;
      await dispatch.update(taskId, { [kind]: [{ file: uuid, fileName: file.name }] });
      uploads.delete(id);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      upload.state = 'failed';
      upload.problem = error.status === 0 ? i18n.global.t('problems.unreachable') : error.message;
    }
  }

  return { of, add, again, cancel };
});

/** As what an upload is attached, by the type that the station has told by its bytes. */
export function fieldOf(type: string): 'photos' | 'videos' | 'sounds' | 'files' {
  if (type.startsWith('image/')) return 'photos';
  if (type.startsWith('video/')) return 'videos';
  return type.startsWith('audio/') ? 'sounds' : 'files';
}
