import type { Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { COUNTED, type Prepared } from '../../files/index.ts';

export { COUNTED };

/** A change that adds and removes no attachment. */
export const NOTHING_ATTACHED: Prepared['counts'] = { photos: 0, videos: 0, files: 0, sounds: 0 };

/**
 * The task after attachments were added. Its first photo becomes the title photo unless another is named.
 * @param photoNums ordinals of the added photos
 * @param photoMain ordinal of the requested title photo, if any
 */
export function attached<M extends Pick<Task, 'photos' | 'videos' | 'files' | 'sounds' | 'mainPhoto' | 'updatedAt'>>(
  task: M,
  counts: Prepared['counts'],
  photoNums: readonly number[],
  photoMain: number | undefined,
  now: number,
): M {
  // Forms send 0 (the first photo) even without photos.
  if (photoMain !== undefined && !photoNums.includes(photoMain) && (photoNums.length > 0 || photoMain > 0))
    throw new Refusal('tasks.mainPhotoSent', { field: 'photo_main', id: photoMain, count: photoNums.length });
  return {
    ...task,
    photos: task.photos + counts.photos,
    videos: task.videos + counts.videos,
    files: task.files + counts.files,
    sounds: task.sounds + counts.sounds,
    mainPhoto: photoNums.length > 0 ? (photoMain ?? task.mainPhoto ?? photoNums[0]!) : task.mainPhoto,
    // The clock may step back; a later update must not sort before an earlier one.
    updatedAt: Math.max(now, task.updatedAt),
  };
}
