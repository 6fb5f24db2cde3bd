import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import '../ui/design/base.css';
import '../ui/design/tones.css';
import { makeRouter } from './router.ts';
import { i18n, showLanguage } from '../lib/i18n/index.ts';
import { usePreferences } from '../lib/stores/preferences.ts';

const app = createApp(App).use(createPinia()).use(i18n);
// No await up here: the language's file imports from the file that this is built into, and would wait for it.
void showLanguage(usePreferences().language).then(() => app.use(makeRouter()).mount('#app'));
