import { useLocale } from '../../lib/i18n/index.ts';
import type { Command, CommandProblem } from './commands.ts';

/** Words what a command will do, and why a line is no command. */
export function useCommandWords() {
  const { t } = useLocale();

  function wordsOf(command: Command): string {
    const values = {
      vehicle: 'vehicle' in command ? command.vehicle.name : '',
      id: 'task' in command ? command.task.id : 0,
      title: 'task' in command ? command.task.title : command.kind === 'new' ? command.title : '',
      digit: command.kind === 'unitStatus' ? command.status : '',
      status: command.kind === 'unitStatus' ? t(`unitStatus.${command.status}`) : '',
      query: command.kind === 'go' ? command.query : command.kind === 'filter' ? command.words : '',
      text: 'text' in command ? command.text : command.kind === 'closure' ? command.name : '',
    };
    if (command.kind === 'filter' && !command.words) return t('command.will.unfilter');
    return t(`command.will.${command.kind}`, values);
  }

  function problemWords(problem: CommandProblem): string {
    if (problem.kind === 'notArrived') {
      const { vehicle, task } = problem;
      return t('command.doubt.notArrived', { vehicle: vehicle.name, id: task.id, title: task.title });
    }
    if (problem.kind === 'needs') return t(`command.needs.${problem.what}`);
    return t(`command.doubt.${problem.kind}`, {
      names: 'names' in problem ? problem.names.join(', ') : '',
      text: 'text' in problem ? problem.text : 'word' in problem ? problem.word : '',
    });
  }

  return { wordsOf, problemWords };
}
