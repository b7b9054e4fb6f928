import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { monotonicMs } from './clock.ts'

/** The metrics of a process, for Prometheus. */
export type Metrics = {
  readonly registry: Registry
  readonly contentType: string
  text(): Promise<string>
  request(operation: string, status: number, seconds: number): void
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  count(name: string, help: string): (by?: number) => void
}

/**
 * Reads values at most once a second, however often they are requested. Returns `unknown` if they cannot be
 * read.
 */
export function cachedForSecond<Figures>(
  read: () => Promise<Figures>,
  unknown: Figures,
): () => Promise<Figures> {
  let readAt = 0
  let last: Promise<Figures> | undefined
  return () => {
    if (last === undefined || monotonicMs() - readAt > 1_000) {
      readAt = monotonicMs()
      last = read().catch(() => unknown)
    }
    return last
  }
}

/** Opens a separate registry, so that several apps can run in one process (tests). */
export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'patio_' })
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
  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request: (operation, status, seconds) => childOf(operation, status).observe(seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    count(name, help) {
      const counter = new Counter({ name, help, registers: [registry] })
      return by => counter.inc(by)
    },
  }
}
