import { createApp } from 'vue';
import CrewApp from './CrewApp.vue';
import '../ui/design/base.css';
import '../ui/design/tones.css';
import './crew.css';
import { CrewStore } from './crew-store.ts';
import { PhonePositions } from './phone-positions.ts';
import { followLook, i18n } from './words/words.ts';

followLook();
const store = await CrewStore.open();
const positions = new PhonePositions(store);
createApp(CrewApp, { store, positions }).use(i18n).mount('#app');
void store.follow();
// Browsers that do not trust the station's certificate keep no page.
void navigator.serviceWorker?.register('/crew-worker.js', { scope: '/crew' }).catch(() => undefined);
void navigator.storage?.persist?.();
