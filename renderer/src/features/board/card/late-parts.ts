import { defineAsyncComponent } from 'vue';

/** Parts of the card that come when they are first wanted; from then on they are there at once for every card. */
export const TaskEditor = defineAsyncComponent(() => import('../../task/editor/TaskEditor.vue'));
export const TaskPresence = defineAsyncComponent(() => import('../../task/TaskPresence.vue'));
export const PaperPreview = defineAsyncComponent(() => import('../../../ui/files/PaperPreview.vue'));
