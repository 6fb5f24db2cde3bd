import type { Task } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { COUNTED, type Prepared } from '../../files/index.ts';

export { COUNTED };

/** No attachment more or less. */
export const NOTHING: Prepared['counts'] = { photos: 0, videos: 0, files: 0, sounds: 0 };

/**
 * The message with so many attachments more. The first photo that a message gets is its title photo, unless
 * another one is named.
 * @param photoNums ordinals of the photos that were added
 * @param photoMain ordinal of the title photo, when one is asked for
 */
export function attached<M extends Pick<Task, 'photos' | 'videos' | 'files' | 'sounds' | 'mainPhoto' | 'updatedAt'>>(
  task: M,
  counts: Prepared['counts'],
  photoNums: readonly number[],
  photoMain: number | undefined,
  now: number,
): M {
  // A form says 0, the first, with no photo too.
  if (photoMain !== undefined && !photoNums.includes(photoMain) && (photoNums.length > 0 || photoMain > 0))
    throw new Refusal('invalid', `photo_main ${photoMain} is none of the ${photoNums.length} photos sent.`);
  return {
    ...task,
    photos: task.photos + counts.photos,
    videos: task.videos + counts.videos,
    files: task.files + counts.files,
    sounds: task.sounds + counts.sounds,
    mainPhoto: photoNums.length > 0 ? (photoMain ?? task.mainPhoto ?? photoNums[0]!) : task.mainPhoto,
    // The clock may step back; what was updated later must not sort before what was updated earlier.
    updatedAt: Math.max(now, task.updatedAt),
  };
}
