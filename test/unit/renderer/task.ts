import type { Task } from '../../../shared/records/index.ts';

/** A task as a station would hand it out, with what a test cares about. */
export function makeTask(over: Partial<Task> & { id: number }): Task {
  return {
    key: String(over.id).padStart(10, '0'),
    hlc: { base: '', fields: {} },
    title: `Task ${over.id}`,
    text: '',
    organizationId: 1,
    authorId: 1,
    typeId: 1,
    categoryId: 0,
    status: 1,
    statusSince: 0,
    confirmed: 0,
    confirmedComment: '',
    assignedOrganizationId: 0,
    assignedUserId: 0,
    assignedVehicleId: 0,
    restricted: false,
    archived: false,
    isDeleted: false,
    notice: 0,
    date: 0,
    updatedAt: 0,
    systemData: '',
    address: '',
    point: null,
    mainPhoto: null,
    customValues: {},
    photos: 0,
    videos: 0,
    files: 0,
    sounds: 0,
    ...over,
  };
}
