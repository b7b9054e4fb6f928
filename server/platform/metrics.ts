import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { monotonicMs } from './clock.ts'
import { programVersion } from './version.ts'

/** One value, or a value for each value of the label. Undefined: it is unknown, and no sample is shown. */
export type Samples = number | ReadonlyMap<string, number> | undefined

/** The metrics of a process, for Prometheus. They need no credential: no label may name an organization or a person. */
export type Metrics = {
  readonly registry: Registry
  readonly contentType: string
  text(): Promise<string>
  /** Counts a request of an API process. */
  request(operation: string, status: number, seconds: number): void
  /** A gauge that is read for each scrape. A `label` belongs to samples that are a map. */
  gauge(name: string, help: string, read: () => Samples | Promise<Samples>, label?: string): void
  count(name: string, help: string): (by?: number) => void
  /** A counter with one label, whose values must be few. */
  countBy(name: string, help: string, label: string): (value: string, by?: number) => void
}

/**
 * Reads figures at most once in `everyMs`, however often they are requested. Undefined if they cannot be read, or not within
 * `timeoutMs`: a reading that takes longer continues, and its figures are returned afterwards.
 */
export function readSometimes<Figures>(
  read: () => Promise<Figures>,
  { everyMs, timeoutMs }: { everyMs: number; timeoutMs: number },
): () => Promise<Figures | undefined> {
  let nextAtMs = 0
  let last: Promise<Figures | undefined> | undefined
  let isReading = false
  function start(): Promise<Figures | undefined> {
    isReading = true
    return read()
      .catch(() => undefined)
      .finally(() => {
        isReading = false
        nextAtMs = monotonicMs() + everyMs
      })
  }
  return () => {
    if (last === undefined || (!isReading && monotonicMs() >= nextAtMs)) last = start()
    return withinMs(last, timeoutMs)
  }
}

function withinMs<Result>(result: Promise<Result>, ms: number): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}

/** Gauges of prom-client whose names end like those of counters. `…_resources` with a type counts the same. */
const misnamedMetrics = ['active_handles_total', 'active_requests_total', 'active_resources_total']

/** Opens a separate registry, so that several apps can run in one process (tests). */
export function openMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const prefix = 'patio_'
  collectDefaultMetrics({ register: registry, prefix })
  for (const name of misnamedMetrics) registry.removeSingleMetric(`${prefix}nodejs_${name}`)
  new Gauge({
    name: 'patio_build_info',
    help: 'Always 1; the label has the version of the program',
    labelNames: ['version'],
    registers,
  }).set({ version: programVersion }, 1)
  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request: requestHistogram(registry),
    gauge(name, help, read, label) {
      new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers,
        async collect() {
          const samples = await read()
          this.reset()
          // a gauge without a label shows 0 after a reset
          if (samples === undefined && label === undefined) this.remove()
          if (typeof samples === 'number') this.set(samples)
          else for (const [value, sample] of samples ?? []) this.set({ [label!]: value }, sample)
        },
      })
    },
    count(name, help) {
      const counter = new Counter({ name, help, registers })
      return by => counter.inc(by)
    },
    countBy(name, help, label) {
      const counter = new Counter({ name, help, labelNames: [label], registers })
      return (value, by) => counter.inc({ [label]: value }, by)
    },
  }
}

function requestHistogram(registry: Registry): Metrics['request'] {
  const requests = new Histogram({
    name: 'patio_http_request_seconds',
    help: 'Duration of requests',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  // cached for each pair, because labels() computes a hash on every call
  const children = new Map<string, Map<number, { observe(seconds: number): void }>>()
  function childOf(operation: string, status: number) {
    const ofOperation = children.get(operation) ?? new Map()
    const known = ofOperation.get(status)
    if (known) return known
    const child = requests.labels(operation, String(status))
    children.set(operation, ofOperation.set(status, child))
    return child
  }
  return (operation, status, seconds) => childOf(operation, status).observe(seconds)
}
