// Preloaded into a station that is measured: at SIGUSR2 it writes the heap of each of its threads to a file.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import threads from 'node:worker_threads';

const running = new Map();

threads.Worker = class extends threads.Worker {
  constructor(script, options) {
    super(script, options);
    running.set(this, String(script).replace(/^.*\/|\.worker\.js$/g, ''));
    this.once('exit', () => running.delete(this));
  }
};

process.on('SIGUSR2', async () => {
  // A thread that is about to end refuses; one that ends meanwhile never answers.
  const heaps = [...running].map(([worker, name]) =>
    Promise.race([
      worker.getHeapStatistics().then(
        (heap) => [[name, heap]],
        () => [],
      ),
      new Promise((ended) => worker.once('exit', () => ended([]))),
    ]),
  );
  const all = [['main', getHeapStatistics()], ...(await Promise.all(heaps)).flat()];
  writeFileSync(
    process.env.THREAD_HEAPS,
    JSON.stringify(all.map(([name, heap]) => ({ name, held: heap.total_physical_size, used: heap.used_heap_size }))),
  );
});
