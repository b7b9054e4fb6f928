import { reportError } from '#contract/error-reports/errors.ts'
import { type Input, pathAt } from '#contract/route.ts'
import { CallError, connect, originOf } from './client.ts'
import { postAndWait } from './post-and-wait.ts'

type Report = Input<typeof reportError>['body']
/** What may be said of an error besides the error itself. */
export type Details = Partial<Omit<Report, 'message' | 'stack' | 'occurrences'>>

export type ErrorReporterOptions = {
  /** Address of the server, without a path. */
  url: string
  /** Key of an application with the scope `analytics:errors:write`. */
  apiKey: string
  /** Stands for errors that do not say theirs. */
  module: string
  /** Added to the context of every report. */
  context?: Record<string, unknown>
  /** Equal errors of so many milliseconds are one report with a count. */
  everyMs?: number
  /** Different errors that wait; what is more is dropped. */
  most?: number
  /** How many milliseconds a process that ends by an error may wait until that is sent: 2,000 unless said otherwise. */
  shutdownTimeoutMs?: number
  /** Changes a report before it is sent, or drops it with undefined. */
  before?(report: Report): Report | undefined
}

/** Reports the errors of a Node server. */
export type ErrorReporter = {
  /** Takes an error down; it is sent soon. Returns at once and never throws. */
  report(error: unknown, details?: Details): void
  /**
   * Reports what ends the process, too: it and what waits is sent before, within `shutdownTimeoutMs`, and how the process
   * ends stays as it is. Returns how to stop that.
   */
  captureUncaught(): () => void
  /** Sends what waits, and resolves when it is sent or given up. */
  flush(): Promise<void>
  /** The last flush. What is reported later is dropped. */
  close(): Promise<void>
  /** Occurrences that were given up: too many at once, refused by the server, or it could not be reached. */
  readonly dropped: number
}

type Waiting = { report: Report; occurrences: number; tries: number }

const mostTries = 3
const mostOccurrences = 1_000
const parallel = 4
const timeoutMs = 10_000

/**
 * Opens a reporter. It is made for storms: equal errors are counted here and sent as one, different ones wait in a queue
 * with an end, and after a 429 everything is dropped until the time that the server gave. A server that cannot be
 * reached never costs the application more than that queue.
 */
export function openErrorReporter(options: ErrorReporterOptions): ErrorReporter {
  const {
    url,
    apiKey,
    module,
    context = {},
    everyMs = 1_000,
    shutdownTimeoutMs = 2_000,
    most = 100,
    before = report => report,
  } = options
  const client = connect(url, { apiKey }, { retries: 0 })
  let waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let silentUntilMs = 0
  let dropped = 0
  let isClosed = false

  function report(error: unknown, details: Details = {}): void {
    try {
      const made = before(
        reportOf(error, module, { ...details, context: { ...context, ...details.context } }),
      )
      if (made) enqueue({ report: made, occurrences: 1, tries: 0 })
    } catch {
      // an error reporter that throws would hide the error
      dropped++
    }
  }

  function enqueue(one: Waiting): void {
    const { message, module: of, file, function: name, stack } = one.report
    const key = [of, message, file, name, stack].join('\0')
    const known = waiting.get(key)
    if (isClosed || performance.now() < silentUntilMs || (!known && waiting.size >= most))
      dropped += one.occurrences
    else if (!known) waiting.set(key, one)
    else known.occurrences += one.occurrences
    if (waiting.size > 0 && !isClosed) timer ??= setTimeout(() => void flush(), everyMs).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    while (sending) await sending
    if (waiting.size === 0) return
    const queue = [...waiting.values()].flatMap(portions)
    waiting = new Map()
    sending = Promise.all(Array.from({ length: parallel }, () => work(queue))).then(() => {})
    await sending
    sending = undefined
  }

  async function work(queue: Waiting[]): Promise<void> {
    for (let one = queue.shift(); one; one = queue.shift()) await send(one)
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
    else enqueue(one)
  }

  function sendLast(): void {
    const bodies = [...waiting.values()].flatMap(portions).map(one => JSON.stringify(bodyOf(one)))
    waiting = new Map()
    if (bodies.length === 0) return
    const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' }
    postAndWait(`${originOf(url)}${pathAt('apiKey', reportError)}`, headers, bodies, shutdownTimeoutMs)
  }

  return {
    report,
    captureUncaught() {
      const capture = (error: unknown) => {
        report(error, { severity: 'critical' })
        // whoever handles it decides when the process ends, and can close this before
        if (process.listenerCount('uncaughtException') > 0) return
        try {
          sendLast()
        } catch {
          // it ends because of the first error, not of this one
        }
      }
      process.on('uncaughtExceptionMonitor', capture)
      return () => process.off('uncaughtExceptionMonitor', capture)
    },
    flush,
    async close() {
      await flush()
      isClosed = true
      clearTimeout(timer)
      for (const { occurrences } of waiting.values()) dropped += occurrences
      waiting.clear()
    },
    get dropped() {
      return dropped
    },
  }
}

function bodyOf({ report, occurrences }: Waiting): Report {
  return { ...report, ...(occurrences > 1 && { occurrences }) }
}

/** One report says no more than a thousand occurrences. */
function portions(one: Waiting): Waiting[] {
  const whole = Math.floor((one.occurrences - 1) / mostOccurrences)
  const rest = one.occurrences - whole * mostOccurrences
  return [...Array<number>(whole).fill(mostOccurrences), rest].map(occurrences => ({ ...one, occurrences }))
}

/** No longer than the server takes, so that an error is not lost for its length. */
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
