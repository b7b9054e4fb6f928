import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as Api from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { monotonicMs } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Span, SpanAttributes, SpanStart, Traces } from '../traces.ts'
import { programVersion } from '../version.ts'

/** Where traces are exported, and how many. */
export type TraceTarget = {
  /** The address that takes OTLP over HTTP (`…/v1/traces`). */
  url: string
  headers: Record<string, string>
  /** The share of the traces that are exported, from 0 to 1. */
  ratio: number
}

/** The end of a span: it was sent, the collector did not take it, or too many waited. */
export type SpanFate = 'exported' | 'failed' | 'dropped'

type TraceExportOptions = {
  /** The name of this kind of process. */
  service: string
  log: Pick<Log, 'warn'>
  count(fate: SpanFate, spans: number): void
}

/** Spans that wait or are being sent. Further ones are dropped, so that a collector that is down costs no memory. */
const maxWaitingSpans = 4_096
const batchSpans = 256
const exportDelayMs = 1_000
const exportTimeoutMs = 5_000
const closeTimeoutMs = 2_000
/** Spans of one trace: a long job must not displace all others. */
const maxTraceSpans = 500
const maxAttributeCharacters = 2_000
const warnEveryMs = 60_000

/** Registers the counter of exported spans. */
export function registerTraceMetrics(metrics: Metrics): TraceExportOptions['count'] {
  return metrics.countBy(
    'patio_trace_spans_total',
    'Spans of this process by their end: exported, failed (the collector did not take them) or dropped (too many waited)',
    'result',
  )
}

/**
 * Opens the export of traces (decision 0043). The libraries are loaded here, because most servers have no collector. A
 * collector that is slow or down neither delays nor fails any work: spans are lost and counted.
 */
export async function openTraceExport(target: TraceTarget, options: TraceExportOptions): Promise<Traces> {
  const [api, core, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const waiting = { spans: 0 }
  const exporter = new OTLPTraceExporter({
    url: target.url,
    headers: target.headers,
    timeoutMillis: exportTimeoutMs,
    concurrencyLimit: maxWaitingSpans / batchSpans,
  })
  const processor = new sdk.BatchSpanProcessor({
    exporter: countingExporter(exporter, waiting, options),
    maxQueueSize: maxWaitingSpans,
    maxExportBatchSize: batchSpans,
    scheduledDelayMillis: exportDelayMs,
    // the exporter ends its requests and their repetitions before
    exportTimeoutMillis: 3 * exportTimeoutMs,
  })
  const provider = new sdk.TracerProvider({
    sampler: new sdk.AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: maxAttributeCharacters },
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': programVersion,
      'process.pid': process.pid,
    }),
    spanProcessors: [boundedProcessor(processor, waiting, options)],
  })
  const tracer = provider.getTracer('patio')
  return {
    start(start, traceparent) {
      // not by the id of the trace, which a caller can choose
      if (!isSampled(target.ratio)) return undefined
      const parent = traceparent === undefined ? null : core.parseTraceParent(traceparent)
      const context = parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT
      const spans = { remaining: maxTraceSpans - 1, omitted: 0 }
      const root = startSpan({ api, tracer, spans }, context, start)
      return {
        ...root,
        end(errorType) {
          if (spans.omitted > 0) root.set({ 'patio.omitted_spans': spans.omitted })
          root.end(errorType)
        },
      }
    },
    async close() {
      const closing = new AbortController()
      await Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(closeTimeoutMs, undefined, { signal: closing.signal }).catch(() => {}),
      ])
      closing.abort()
    },
  }
}

function isSampled(ratio: number): boolean {
  const steps = 2 ** 32
  return ratio >= 1 || randomInt(steps) < ratio * steps
}

type TraceParts = {
  api: typeof Api
  tracer: Api.Tracer
  /** Of this trace: those that may still be started, and those that were not. */
  spans: { remaining: number; omitted: number }
}

function startSpan(parts: TraceParts, context: Api.Context, { name, kind, attributes }: SpanStart): Span {
  const { api, tracer, spans } = parts
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  }
  const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, context)
  const { traceId, spanId } = span.spanContext()
  return {
    traceId,
    spanId,
    hasEnded: () => !span.isRecording(),
    startChild(start) {
      if (spans.remaining === 0) {
        spans.omitted++
        return undefined
      }
      spans.remaining--
      return startSpan(parts, api.trace.setSpan(context, span), start)
    },
    set(attributes: SpanAttributes) {
      if (span.isRecording()) span.setAttributes(attributes)
    },
    end(errorType) {
      if (!span.isRecording()) return
      if (errorType !== undefined)
        span.setAttribute('error.type', errorType).setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
  }
}

type Waiting = { spans: number }

/** Accepts spans until too many wait, those that are being sent included. */
function boundedProcessor(
  processor: SpanProcessor,
  waiting: Waiting,
  { count }: Pick<TraceExportOptions, 'count'>,
): SpanProcessor {
  return {
    onStart: (span, context) => processor.onStart(span, context),
    onEnd(span) {
      if (waiting.spans >= maxWaitingSpans) return count('dropped', 1)
      waiting.spans++
      processor.onEnd(span)
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  }
}

function countingExporter(
  exporter: SpanExporter,
  waiting: Waiting,
  { count, log }: Pick<TraceExportOptions, 'count' | 'log'>,
): SpanExporter {
  let nextWarningMs = 0
  return {
    export(spans: ReadableSpan[], onResult) {
      exporter.export(spans, result => {
        waiting.spans -= spans.length
        count(result.error ? 'failed' : 'exported', spans.length)
        if (result.error && monotonicMs() >= nextWarningMs) {
          nextWarningMs = monotonicMs() + warnEveryMs
          log.warn({ err: result.error }, 'traces could not be exported')
        }
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
