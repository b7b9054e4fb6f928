import { type DestinationStream, type Logger, pino } from 'pino'

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

/** JSON lines with request ids. Secrets are redacted, and URLs are logged without their query. */
export function openLog(level: string, name: string, destination?: DestinationStream): Log {
  const options = {
    level,
    name,
    redact: { paths, censor: '[redacted]' },
    base: { name, pid: process.pid },
    serializers: { err: serializeError },
  }
  return destination ? pino(options, destination) : pino(options)
}
