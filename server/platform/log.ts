import { type DestinationStream, type Logger, pino } from 'pino'
import { LogOutput } from './log-output.ts'
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

/** One for all logs of the process, so that their lines keep their order. */
const standardOutput = new LogOutput(1)

/** The names of OpenTelemetry, so that a collector joins lines and traces. */
function traceFields(): object {
  const span = activeSpan()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}

/** JSON lines with request ids. Secrets are redacted, and URLs are logged without their query. */
export function openLog(level: string, name: string, destination: DestinationStream = standardOutput): Log {
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
