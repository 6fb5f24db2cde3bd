import type { PhoneAction } from '../queue/action-queue.ts';
import { useWords } from './words.ts';

const LONGEST = 40;

/** The action, in a few words. */
export function useActionWords(): (action: PhoneAction) => string {
  const { t } = useWords();
  return (action) => {
    switch (action.kind) {
      case 'status':
        return t('what.status', { digit: action.status, word: t(`status.d${action.status}`) });
      case 'accept':
        return t('what.accept', { id: action.taskId });
      case 'giveBack':
        return t('what.giveBack', { id: action.taskId });
      case 'comment':
        return t('what.comment', { id: action.taskId, text: action.text.slice(0, LONGEST) });
      case 'say':
        return t('what.say', { text: action.text.slice(0, LONGEST) });
      case 'receipt':
        return t('what.receipt');
      case 'file':
        return t('what.file', { id: action.taskId, name: action.name });
    }
  };
}
