import { AsyncLocalStorage } from 'node:async_hooks'

/** Attributes of a span. Apart from the request id, they contain no input, and never personal data or secrets (API-56). */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** `server`: answers a request. `client`: asks another system and waits for its answer. */
export type SpanKind = 'server' | 'client' | 'internal'

/** The begin of a span; the name has few values. */
export type SpanStart = { name: string; kind: SpanKind; attributes?: SpanAttributes }

/** A span of a trace that is exported. After its end, it changes no more and has no new children. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  hasEnded(): boolean
  /** Undefined if the trace has as many spans as it may have. */
  startChild(start: SpanStart): Span | undefined
  set(attributes: SpanAttributes): void
  /** `errorType` is a short code: the work failed. Later calls do nothing. */
  end(errorType?: string): void
}

/** Starts the traces of a process. */
export type Traces = {
  /**
   * Starts a trace, or (with the `traceparent` of a caller) continues theirs. Undefined if it is not one of those that are
   * exported, which no caller decides (API-57).
   */
  start(root: SpanStart, traceparent?: string): Span | undefined
  /** Exports what is left, within a second. */
  close(): Promise<void>
}

const active = new AsyncLocalStorage<Span>()

/** The span in which this code runs. Undefined if there is none, or if this code outlives its work. */
export function activeSpan(): Span | undefined {
  const span = active.getStore()
  return span?.hasEnded() ? undefined : span
}

/** Makes a span the active one of `work` and of everything that it starts. */
export function runIn<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? active.run(span, work) : work()
}

/** Runs work in a new child of the active span, if there is one. */
export function inSpan<Result>(
  start: SpanStart,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  return untilSettled(activeSpan()?.startChild(start), work)
}

/** Runs work in a trace of its own, if it is one of those that are exported. */
export function inTrace<Result>(
  traces: Traces | undefined,
  root: SpanStart,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  return untilSettled(traces?.start(root), work)
}

function untilSettled<Result>(
  span: Span | undefined,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!span) return work(undefined)
  return active.run(span, async () => {
    try {
      const result = await work(span)
      span.end()
      return result
    } catch (error) {
      span.end(errorTypeOf(error))
      throw error
    }
  })
}

/** The code or the class of an error. Its message may quote input. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code !== '' ? code : error.name
}
