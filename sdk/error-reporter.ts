import { reportError } from '#contract/error-reports/errors.ts'
import { type Input, pathAt } from '#contract/route.ts'
import { CallError, connect, originOf } from './client.ts'
import { postAndWait } from './post-and-wait.ts'

type Report = Input<typeof reportError>['body']
/** Optional details of an error. */
export type Details = Partial<Omit<Report, 'message' | 'stack' | 'occurrences'>>

export type ErrorReporterOptions = {
  /** The URL of the server, without a path. */
  url: string
  /** An API key with the scope `analytics:errors:write`. */
  apiKey: string
  /** The default for errors without a module. */
  module: string
  /** Added to the context of every report. */
  context?: Record<string, unknown>
  /** Equal errors within this time, in milliseconds, become one report with a count. */
  everyMs?: number
  /** The maximum of different waiting errors; more are dropped. */
  most?: number
  /**
   * How long a process that ends with an error may wait for the last report, in milliseconds; 2,000 by
   * default.
   */
  shutdownTimeoutMs?: number
  /** Changes a report before it is sent, or drops it by returning undefined. */
  before?(report: Report): Report | undefined
}

/** Reports the errors of a Node server. */
export type ErrorReporter = {
  /** Queues an error, which is sent soon. Returns at once and never throws. */
  report(error: unknown, details?: Details): void
  /**
   * Also reports errors that end the process: they and the queue are sent first, within `shutdownTimeoutMs`,
   * and the way the process ends does not change. Returns a function that stops this.
   */
  captureUncaught(): () => void
  /** Sends the queue, and resolves when every report is sent or dropped. */
  flush(): Promise<void>
  /** Flushes a last time. Later reports are dropped. */
  close(): Promise<void>
  /** Dropped occurrences: too many at once, refused by the server, or the server could not be reached. */
  readonly dropped: number
}

type Waiting = { report: Report; occurrences: number; tries: number }

const mostTries = 3
const mostOccurrences = 1_000
const parallel = 4
const timeoutMs = 10_000

/**
 * Opens a reporter that is made for error storms. Equal errors are counted and sent as one report, different
 * ones wait in a bounded queue, and after a 429 everything is dropped until the server's retry time. An
 * unreachable server never costs the application more than that queue.
 */
export function openErrorReporter(options: ErrorReporterOptions): ErrorReporter {
  const { url, apiKey, module, context = {}, shutdownTimeoutMs = 2_000, before = report => report } = options
  const queue = openReportQueue(options)

  function report(error: unknown, details: Details = {}): void {
    try {
      const made = before(
        reportOf(error, module, { ...details, context: { ...context, ...details.context } }),
      )
      if (made) queue.add({ report: made, occurrences: 1, tries: 0 })
    } catch {
      // an error reporter that throws would hide the original error
      queue.drop(1)
    }
  }

  function sendLast(): void {
    const bodies = queue.takeAll().map(one => JSON.stringify(bodyOf(one)))
    if (bodies.length === 0) return
    const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' }
    postAndWait(`${originOf(url)}${pathAt('apiKey', reportError)}`, headers, bodies, shutdownTimeoutMs)
  }

  return {
    report,
    captureUncaught() {
      const capture = (error: unknown) => {
        report(error, { severity: 'critical' })
        // another handler decides when the process ends, and can close the reporter first
        if (process.listenerCount('uncaughtException') > 0) return
        try {
          sendLast()
        } catch {
          // the process ends because of the first error
        }
      }
      process.on('uncaughtExceptionMonitor', capture)
      return () => process.off('uncaughtExceptionMonitor', capture)
    },
    flush: queue.flush,
    close: queue.close,
    get dropped() {
      return queue.dropped()
    },
  }
}

/** The waiting reports, at most `most` different ones, which are sent every `everyMs`. */
function openReportQueue({ url, apiKey, everyMs = 1_000, most = 100 }: ErrorReporterOptions) {
  const client = connect(url, { apiKey }, { retries: 0 })
  let waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let silentUntilMs = 0
  let dropped = 0
  let isClosed = false

  function add(one: Waiting): void {
    const { message, module: of, file, function: name, stack } = one.report
    const key = [of, message, file, name, stack].join('\0')
    const known = waiting.get(key)
    if (isClosed || performance.now() < silentUntilMs || (!known && waiting.size >= most))
      dropped += one.occurrences
    else if (!known) waiting.set(key, one)
    else known.occurrences += one.occurrences
    if (waiting.size > 0 && !isClosed) timer ??= setTimeout(() => void flush(), everyMs).unref()
  }

  /** Removes all reports, each with as many occurrences as one may have. */
  function takeAll(): Waiting[] {
    const taken = [...waiting.values()].flatMap(portions)
    waiting = new Map()
    return taken
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    while (sending) await sending
    if (waiting.size === 0) return
    const taken = takeAll()
    sending = Promise.all(Array.from({ length: parallel }, () => work(taken))).then(() => {})
    await sending
    sending = undefined
  }

  async function work(taken: Waiting[]): Promise<void> {
    for (let one = taken.shift(); one; one = taken.shift()) await send(one)
  }

  async function send(one: Waiting): Promise<void> {
    if (performance.now() < silentUntilMs) {
      dropped += one.occurrences
      return
    }
    try {
      await client.call(reportError, { body: bodyOf(one), signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      if (error instanceof CallError && error.status === 429) fallSilent(one, error)
      else if (error instanceof CallError && error.status < 500) dropped += one.occurrences
      else again(one)
    }
  }

  function fallSilent(one: Waiting, { body }: CallError): void {
    dropped += one.occurrences
    silentUntilMs = performance.now() + Math.max(1, Number(body.retryAfterSeconds) || 60) * 1000
  }

  function again(one: Waiting): void {
    one.tries++
    if (one.tries >= mostTries || isClosed) dropped += one.occurrences
    else add(one)
  }

  return {
    add,
    takeAll,
    flush,
    async close() {
      await flush()
      isClosed = true
      clearTimeout(timer)
      for (const { occurrences } of waiting.values()) dropped += occurrences
      waiting.clear()
    },
    drop(occurrences: number) {
      dropped += occurrences
    },
    dropped: () => dropped,
  }
}

function bodyOf({ report, occurrences }: Waiting): Report {
  return { ...report, ...(occurrences > 1 && { occurrences }) }
}

/** The maximum of occurrences in one report. */
function portions(one: Waiting): Waiting[] {
  const whole = Math.floor((one.occurrences - 1) / mostOccurrences)
  const rest = one.occurrences - whole * mostOccurrences
  return [...Array<number>(whole).fill(mostOccurrences), rest].map(occurrences => ({ ...one, occurrences }))
}

/** The server's maximum, so that a long error is cut instead of lost. */
function reportOf(error: unknown, module: string, details: Details): Report {
  const { name, message, stack, status, statusCode, code } = (error ?? {}) as Record<string, unknown>
  const text =
    error instanceof Error ? `${name}: ${message}` : (textOf(message) ?? textOf(error) ?? 'Unknown error')
  const known = status ?? statusCode
  const { file, function: called, endpoint: contract, userId, requestId, ...rest } = details
  return {
    ...rest,
    message: cut(text.trim() || 'Unknown error', 2_000)!,
    module: cut(details.module ?? module, 100)!,
    stack: cut(textOf(stack), 10_000),
    file: cut(file, 500),
    function: cut(called, 200),
    endpoint: cut(contract, 500),
    userId: cut(userId, 255),
    requestId: cut(requestId, 255),
    context: {
      ...(known !== undefined && { httpStatus: known }),
      ...(code !== undefined && { code }),
      ...details.context,
    },
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function cut(text: string | undefined, length: number): string | undefined {
  return text === undefined || text.length <= length ? text : text.slice(0, length).toWellFormed()
}
