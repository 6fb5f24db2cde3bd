import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import './design/base.css';
import './design/tones.css';
import { makeRouter } from './router.ts';
import { i18n } from './words/index.ts';

createApp(App).use(createPinia()).use(i18n).use(makeRouter()).mount('#app');
