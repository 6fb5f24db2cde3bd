import { findControl } from '../control.ts';
import { simulateCommand } from '../demo/index.ts';
import { dataDirectoryOf, interruption } from './words.ts';

/** `waypost simulate`: drives until Ctrl+C. After a restart of the station it connects again. */
export async function run(words: string[]): Promise<void> {
  const at = words.findIndex((word) => word === '--data' || word.startsWith('--data='));
  const data = dataDirectoryOf(
    at < 0 ? undefined : words[at]!.startsWith('--data=') ? words[at]!.slice('--data='.length) : words[at + 1],
  );
  await simulateCommand(
    words,
    () => {
      const control = findControl(data);
      return control && { url: control.address, token: control.token };
    },
    interruption(),
    (message) => console.error(message),
  );
}
