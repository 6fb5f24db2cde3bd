/** The digits by which crews say how they are, as dispatchers know them: the `unitStatus` of vehicles. */
export const EMERGENCY_CALL = 0;
export const FREE = 1;
export const AT_BASE = 2;
export const EN_ROUTE = 3;
export const ON_SCENE = 4;
export const OUT_OF_SERVICE = 6;
export const PATIENT_LOADED = 7;
export const AT_HOSPITAL = 8;
