import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10];

/** One value of a gauge. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Read = () => readonly Sample[] | Promise<readonly Sample[]>;

/** Metrics in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #durations = new Map<string, { buckets: number[]; count: number; sum: number }>();
  readonly #series: { name: string; help: string; type: 'gauge' | 'counter'; read: Read }[] = [];

  /** Counts an answered request. `pattern` is the route's path, which bounds the number of series. */
  answered(method: string, pattern: string, status: number, seconds: number): void {
    const request = `method="${method}",path="${pattern}",status="${status}"`;
    this.#requests.set(request, (this.#requests.get(request) ?? 0) + 1);
    const path = `path="${pattern}"`;
    let duration = this.#durations.get(path);
    if (!duration) this.#durations.set(path, (duration = { buckets: BUCKETS.map(() => 0), count: 0, sum: 0 }));
    for (const [index, bound] of BUCKETS.entries()) if (seconds <= bound) duration.buckets[index]!++;
    duration.count++;
    duration.sum += seconds;
  }

  /** Adds a gauge that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    this.gauges(name, help, () => [{ labels: {}, value: read() }]);
  }

  /** Adds a gauge with several series. Label values come from this station alone: they must bound the series. */
  gauges(name: string, help: string, read: Read): void {
    this.#series.push({ name, help, type: 'gauge', read });
  }

  /** As `gauges`, for numbers that only grow until the station ends. */
  counters(name: string, help: string, read: Read): void {
    this.#series.push({ name, help, type: 'counter', read });
  }

  /** Adds gauges of the process. Returns the function that stops measuring. */
  watchProcess(): () => void {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    this.gauge('process_resident_memory_bytes', 'Memory that the station holds.', () => process.memoryUsage.rss());
    this.gauge('process_uptime_seconds', 'Seconds since the start.', () => Math.round(process.uptime()));
    this.gauge('waypost_event_loop_delay_seconds', 'Longest wait of the event loop since this was last read.', () => {
      const longest = delay.max / 1e9;
      delay.reset();
      return Number.isFinite(longest) && longest > 0 ? longest : 0;
    });
    return () => delay.disable();
  }

  async text(): Promise<string> {
    const lines = [
      '# HELP waypost_http_requests_total Requests answered.',
      '# TYPE waypost_http_requests_total counter',
    ];
    for (const [labels, count] of this.#requests) lines.push(`waypost_http_requests_total{${labels}} ${count}`);
    lines.push(
      '# HELP waypost_http_request_seconds Time from a request to the end of its answer.',
      '# TYPE waypost_http_request_seconds histogram',
    );
    for (const [labels, { buckets, count, sum }] of this.#durations) {
      for (const [index, bound] of BUCKETS.entries())
        lines.push(`waypost_http_request_seconds_bucket{${labels},le="${bound}"} ${buckets[index]}`);
      lines.push(
        `waypost_http_request_seconds_bucket{${labels},le="+Inf"} ${count}`,
        `waypost_http_request_seconds_sum{${labels}} ${sum}`,
        `waypost_http_request_seconds_count{${labels}} ${count}`,
      );
    }
    for (const { name, help, type, read } of this.#series) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const { labels, value } of await read()) lines.push(`${name}${labelsOf(labels)} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function labelsOf(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
