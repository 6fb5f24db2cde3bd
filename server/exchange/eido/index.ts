export { Incidents, type TakenIncident } from './incidents.ts';
export { writeEido } from './write-eido.ts';
