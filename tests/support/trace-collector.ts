import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'
import { defined } from './elements.ts'
import { until } from './processes.ts'

/** A span as a collector receives it. */
export type ReceivedSpan = {
  service: string
  traceId: string
  spanId: string
  /** Empty: the root of its trace. */
  parentSpanId: string
  name: string
  kind: 'internal' | 'server' | 'client'
  attributes: Record<string, string | number>
  isError: boolean
  durationMs: number
}

/** An HTTP server that records the traces it receives. */
export type TraceCollector = {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Of each request, with its path as `:path`. */
  readonly requests: IncomingHttpHeaders[]
  /** With 0 it never answers. */
  replyWith(status: number): void
  /** Resolves with the spans that match when there is one. */
  waitFor(what: string, matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]>
  close(): Promise<void>
}

/** The fields of OTLP 1.x that the tests read. */
const request = protobuf
  .parse(
    `syntax = "proto3";
     message Request { repeated ResourceSpans resource_spans = 1; }
     message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
     message Resource { repeated KeyValue attributes = 1; }
     message ScopeSpans { repeated Span spans = 2; }
     message Span {
       bytes trace_id = 1;
       bytes span_id = 2;
       string trace_state = 3;
       bytes parent_span_id = 4;
       string name = 5;
       int32 kind = 6;
       fixed64 start_time_unix_nano = 7;
       fixed64 end_time_unix_nano = 8;
       repeated KeyValue attributes = 9;
       Status status = 15;
     }
     message Status { string message = 2; int32 code = 3; }
     message KeyValue { string key = 1; AnyValue value = 2; }
     message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }`,
  )
  .root.lookupType('Request')

type Decoded = {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: { spans: DecodedSpan[] }[]
  }[]
}
type KeyValue = { key: string; value: { stringValue?: string; intValue?: string; doubleValue?: number } }
type DecodedSpan = {
  traceId: Buffer
  spanId: Buffer
  parentSpanId?: Buffer
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: KeyValue[]
  status?: { code?: number }
}

export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = []
  const requests: IncomingHttpHeaders[] = []
  let status = 200
  const server = createServer((received, response) => {
    const chunks: Buffer[] = []
    received.on('data', chunk => chunks.push(chunk))
    received.on('end', () => {
      requests.push({ ...received.headers, ':path': received.url })
      if (status === 0) return
      if (status === 200) spans.push(...spansOf(Buffer.concat(chunks)))
      response.writeHead(status).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    replyWith(next) {
      status = next
    },
    async waitFor(what, matches) {
      await until(what, () => spans.some(matches))
      return spans.filter(matches)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function spansOf(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = request.toObject(request.decode(body), { longs: String }) as Decoded
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans.map(span => receivedSpan(service, span)))
  })
}

function receivedSpan(service: string, span: DecodedSpan): ReceivedSpan {
  return {
    service,
    traceId: span.traceId.toString('hex'),
    spanId: span.spanId.toString('hex'),
    parentSpanId: span.parentSpanId?.toString('hex') ?? '',
    name: span.name,
    kind: defined((['internal', 'internal', 'server', 'client'] as const)[span.kind]),
    attributes: attributesOf(span.attributes ?? []),
    isError: span.status?.code === 2,
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  }
}

function attributesOf(pairs: readonly KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ??
        (value.intValue === undefined ? defined(value.doubleValue) : Number(value.intValue)),
    ]),
  )
}
