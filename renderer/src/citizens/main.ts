import { createApp } from 'vue';
import CitizensApp from './CitizensApp.vue';
import '../ui/design/base.css';
import '../ui/design/tones.css';
import './citizens.css';
import { i18n } from './words/words.ts';

createApp(CitizensApp).use(i18n).mount('#app');
