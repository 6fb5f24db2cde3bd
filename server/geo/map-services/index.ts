export { MapAnswers } from './map-answers.ts';
export { MapServices } from './map-services.ts';
export { shareGeocoder, sharePlanner } from './share.ts';
