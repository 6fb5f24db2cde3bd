import { openGateway } from '../compose/programs/gateway.ts';
import { readConfig } from '../config/index.ts';
import { interruption } from './words.ts';

/** `waypost gateway`: runs until a signal. Standard output gets one line, when the ports are open. */
export async function run(words: string[]): Promise<void> {
  const stop = interruption();
  const gateway = await openGateway(readConfig(words, process.env), stop);
  if (gateway.isStopped) return gateway.close();
  const ports = Object.entries(gateway.ports).map(([protocol, port]) => `${protocol} ${port}`);
  console.log(`The gateway is listening: ${ports.join(', ')}`);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await gateway.close();
}
