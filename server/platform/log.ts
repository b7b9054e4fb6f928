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
// whatever ends up in a log object by mistake: its value is replaced, at each of the depths we log at
const paths = secret
  .flatMap(name => [name, `*.${name}`, `*.*.${name}`])
  .concat('["x-api-key"]', '*["x-api-key"]')

/** An error without the details that PostgreSQL attaches: they quote values of the row. */
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

/** JSON lines with request ids. Secrets are redacted; addresses are logged without their query. */
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
