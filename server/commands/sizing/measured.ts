interface Measured {
  readonly value: number;
  readonly unit: string;
  /** Section of `test/bench/results.md`, and the measurement. */
  readonly source: string;
}

/** Constants behind the sizing of a region: two shared cores, so take them as an order of magnitude. */
export const MEASURED = {
  gatewayPosition: {
    value: 120e-6,
    unit: 's of processor',
    source: 'region benchmark: 94 to 123 us a packet of one position, all threads of a gateway',
  },
  serverPosition: {
    value: 40e-6,
    unit: 's of processor',
    source: 'region benchmark: 37 to 41 us a packet at a single server; copies in a cluster are not in it',
  },
  stationPosition: {
    value: 145e-6,
    unit: 's of processor',
    source: 'region benchmark: 70 to 145 us with events, all threads, counted here as one',
  },
  consolePosition: {
    value: 6e-6,
    unit: 's of processor',
    source: 'telemetry: 3.9 to 6.3 us for each position and console that follows the vehicle',
  },
  consoleVehicleFill: {
    value: 2.2e-6,
    unit: 's',
    source: 'sync benchmark: 50 consoles of 50,000 vehicles are current in 5.4 s',
  },
  replicatedRecord: {
    value: 257e-6,
    unit: 's of processor',
    source: 'sync benchmark: 257 us a record, both stations',
  },
  stationMemory: { value: 220e6, unit: 'bytes', source: 'region benchmark: a station without vehicles' },
  vehicleMemory: {
    value: 4_500,
    unit: 'bytes',
    source: 'region benchmark: 220, 254 and 447 MB with 0, 10,000 and 50,000 vehicles',
  },
  streamBytes: { value: 320, unit: 'bytes', source: 'region benchmark: a position in the stream, one copy' },
  pointBytes: { value: 123, unit: 'bytes', source: 'region benchmark: a position in tracks.db' },
  gatewayMemory: { value: 268e6, unit: 'bytes', source: 'region benchmark: a gateway after 72,000 positions' },
} as const satisfies Record<string, Measured>;
