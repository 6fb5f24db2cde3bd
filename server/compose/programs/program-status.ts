import type { IncomingMessage, ServerResponse } from 'node:http';
import { Metrics } from '../../http/app/metrics.ts';
import { listen } from '../../http/listener/listen.ts';
import type { RegionConnection } from '../../replication/nats/index.ts';
import { VERSION } from '../../platform/program.ts';

/** Something that keeps the program from its work. */
export interface ProgramProblem {
  readonly code: string;
  readonly text: string;
}

interface ProgramStatusOptions {
  readonly host: string;
  readonly port: number;
  readonly connection: Pick<RegionConnection, 'state'>;
  /** Reasons why it does not work, besides a connection that is missing. */
  problems(): readonly ProgramProblem[];
  /** More fields of `/health`. */
  about(): object;
  /** Whether it can do its work; a connection is asked for, too. */
  isReady(): boolean;
  addMetrics(metrics: Metrics): void;
}

interface Answer {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain; version=0.0.4';
  readonly body: string;
}

/**
 * Answers how a program of the region without an interface is: `/health` with 200 as long as it runs, since a restart
 * mends no server; `/ready` with 503 while it can do nothing; `/metrics` for Prometheus.
 */
export async function openProgramStatus(options: ProgramStatusOptions) {
  const { connection } = options;
  const metrics = new Metrics();
  metrics.gauge('waypost_region_connected', 'Whether a server of the region answers: 1 or 0.', () =>
    Number(connection.state.isConnected),
  );
  options.addMetrics(metrics);
  const stopWatching = metrics.watchProcess();
  const isReady = () => connection.state.isConnected && options.isReady();
  const answers: Record<string, () => Answer | Promise<Answer>> = {
    '/health': () => json(200, health(options)),
    '/ready': () => json(isReady() ? 200 : 503, { ready: isReady() }),
    '/metrics': async () => ({ status: 200, type: 'text/plain; version=0.0.4', body: await metrics.text() }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    const path = (request.url ?? '').split('?')[0]!;
    const isKnown = Object.hasOwn(answers, path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { status, type, body } =
      isKnown && isRead ? await answers[path]!() : json(isKnown ? 405 : 404, { error: isKnown ? 'method' : 'path' });
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : body);
    const method = isRead ? request.method! : 'other';
    metrics.answered(method, isKnown ? path : 'other', status, (performance.now() - began) / 1000);
  };
  try {
    const { port, stop } = await listen((request, response) => {
      answer(request, response).catch(() => response.destroy());
    }, options);
    return {
      port,
      close: () => {
        stopWatching();
        return stop();
      },
    };
  } catch (error) {
    stopWatching();
    throw error;
  }
}

function health({ connection, problems: found, about }: ProgramStatusOptions) {
  const { isConnected, problem } = connection.state;
  const problems = [
    ...(isConnected ? [] : [{ code: 'region.away', text: `No server of the region answers: ${problem}` }]),
    ...found(),
  ];
  return { status: problems.length === 0 ? 'ok' : 'degraded', problems, version: VERSION, ...about() };
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
