import type { StationConfig } from '../../config/index.ts';
import type { RegionOptions } from '../../replication/nats/index.ts';

/** How the program connects to the servers of its region. */
export function regionOptions(config: StationConfig): Omit<RegionOptions, 'log'> {
  return {
    servers: config['nats.servers'],
    region: config['nats.region'],
    credentials: config['nats.credentials'] ?? undefined,
    authority: config['nats.authority'] ?? undefined,
    replicas: config['nats.replicas'],
    domain: config['nats.domain'] ?? undefined,
    name: config.name,
  };
}
