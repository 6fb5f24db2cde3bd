import type { Vehicle } from '../../shared/records/index.ts';

/** Of no organization, without a device: what a vehicle has that a test says nothing of. */
export const BLANK_VEHICLE: Omit<Vehicle, 'key' | 'hlc' | 'id' | 'name' | 'glonassId' | 'organizationId'> = {
  plate: '',
  groupId: 0,
  makeId: 0,
  modelId: 0,
  driverIds: [],
  tagIds: [],
  profile: 'car',
  onService: false,
  view: true,
  projectPoints: false,
  iconStandard: true,
  iconIndex: 0,
  phone: '',
  imei: '',
  devicePassword: '',
  serviceOdometer: null,
  notes: '',
  picture: null,
  engineHours: { stop: 0, move: 0 },
  customValues: {},
  isDeleted: false,
};
