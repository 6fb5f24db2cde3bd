import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import '../ui/design/base.css';
import '../ui/design/tones.css';
import { makeRouter } from './router.ts';
import { i18n } from '../lib/i18n/index.ts';

createApp(App).use(createPinia()).use(i18n).use(makeRouter()).mount('#app');
