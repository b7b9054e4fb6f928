import { randomInt } from 'node:crypto'
import type * as Api from '@opentelemetry/api'
import type { ExportResultCode } from '@opentelemetry/core'
import type { ISerializer } from '@opentelemetry/otlp-transformer'
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
const closeTimeoutMs = 1_000
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
  const [api, core, sdk, { ProtobufTraceSerializer }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/resources'),
  ])
  const waiting = { spans: 0 }
  const closing = new AbortController()
  const send = (spans: ReadableSpan[]) => sendSpans(target, ProtobufTraceSerializer, spans, closing.signal)
  const processor = new sdk.BatchSpanProcessor({
    exporter: countingExporter(send, core.ExportResultCode, waiting, options),
    maxQueueSize: maxWaitingSpans,
    maxExportBatchSize: batchSpans,
    scheduledDelayMillis: exportDelayMs,
    // the request ends before
    exportTimeoutMillis: 2 * exportTimeoutMs,
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
      const late = setTimeout(() => closing.abort(), closeTimeoutMs)
      await provider.shutdown().catch(() => {})
      clearTimeout(late)
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

/**
 * Sends spans in one request. The exporter of OpenTelemetry is not used: it cannot be stopped, so a collector that does not
 * answer would keep the process from ending, and it reads the environment itself.
 */
async function sendSpans(
  { url, headers }: TraceTarget,
  serializer: ISerializer<ReadableSpan[], unknown>,
  spans: ReadableSpan[],
  closing: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-protobuf' },
    body: serializer.serializeRequest(spans) as Uint8Array<ArrayBuffer>,
    // the headers contain a secret
    redirect: 'error',
    signal: AbortSignal.any([closing, AbortSignal.timeout(exportTimeoutMs)]),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The collector answered ${response.status}`)
}

function countingExporter(
  send: (spans: ReadableSpan[]) => Promise<void>,
  codes: typeof ExportResultCode,
  waiting: Waiting,
  { count, log }: Pick<TraceExportOptions, 'count' | 'log'>,
): SpanExporter {
  const sending = new Set<Promise<void>>()
  let nextWarningMs = 0
  function warn(error: unknown): void {
    if (monotonicMs() < nextWarningMs) return
    nextWarningMs = monotonicMs() + warnEveryMs
    log.warn({ err: error }, 'traces could not be exported')
  }
  return {
    async export(spans, onResult) {
      const sent = send(spans)
      sending.add(sent)
      const error = await sent.then(
        () => undefined,
        (error: Error) => error,
      )
      sending.delete(sent)
      waiting.spans -= spans.length
      count(error ? 'failed' : 'exported', spans.length)
      if (error) warn(error)
      onResult(error ? { code: codes.FAILED, error } : { code: codes.SUCCESS })
    },
    async shutdown() {
      await Promise.allSettled(sending)
    },
  }
}
