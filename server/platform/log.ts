import fs from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { activeSpan } from './traces.ts'

export type Log = Logger

const secret = [
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'authorization',
  'cookie',
  'apiKey',
  'secret',
]
// redacts secrets that end up in a log object by mistake, at each depth that is logged
const paths = secret
  .flatMap(name => [name, `*.${name}`, `*.*.${name}`])
  .concat('["x-api-key"]', '*["x-api-key"]')

/** An error without PostgreSQL's details, which quote values of the row. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const { name, message, stack, cause } = error
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: name,
    message,
    code,
    constraint,
    stack,
    ...(cause !== undefined && { cause: serializeError(cause) }),
  }
}

/** The lines that wait while standard output accepts none; further ones are lost. */
const waitingBytes = 1024 * 1024

/**
 * Standard output. While its disk is full, lines wait or are lost: writing the log neither ends the process nor keeps
 * it from ending.
 */
function standardOutput(): DestinationStream {
  let mayRepeat = true
  const output = pino.destination({
    fd: 1,
    sync: false,
    maxLength: waitingBytes,
    retryEAGAIN: () => mayRepeat,
  })
  let isFailing = false
  output.on('error', () => {
    isFailing = true
  })
  output.on('write', () => {
    isFailing = false
  })
  // The original, which also runs when the process exits, repeats a failed write until it succeeds. It asks whether to repeat only
  // if a write should be tried again later (EAGAIN), so every other error is passed on as one.
  const { flushSync } = output
  output.flushSync = () => {
    if (isFailing) return
    const { writeSync } = fs
    fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
      try {
        return writeSync(...args)
      } catch (error) {
        mayRepeat = ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
        throw Object.assign(error as Error, { code: 'EAGAIN' })
      }
    }) as typeof writeSync
    try {
      flushSync.call(output)
    } catch {
      // the lines are lost
    } finally {
      fs.writeSync = writeSync
      mayRepeat = true
    }
  }
  return output
}

/** The names of OpenTelemetry, so that a collector joins lines and traces. */
function traceFields(): object {
  const span = activeSpan()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}

/** JSON lines with request ids. Secrets are redacted, and URLs are logged without their query. */
export function openLog(level: string, name: string, destination = standardOutput()): Log {
  const options = {
    level,
    name,
    redact: { paths, censor: '[redacted]' },
    base: { name, pid: process.pid },
    serializers: { err: serializeError },
    mixin: traceFields,
  }
  return pino(options, destination)
}
