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

/** JSON lines with request ids. Secrets are redacted; addresses are logged without their query. */
export function openLog(level: string, name: string, destination?: DestinationStream): Log {
  const options = { level, name, redact: { paths, censor: '[redacted]' }, base: { name, pid: process.pid } }
  return destination ? pino(options, destination) : pino(options)
}
