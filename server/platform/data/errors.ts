// a statement that is sent twice is prepared once: if preparing it failed, the second finds no such statement
const consequences = new Set(['25P02', '26000'])

/** In a failed transaction, every further statement fails with one of these codes. */
export function isConsequence(error: unknown): boolean {
  return consequences.has((error as { code?: string }).code ?? '')
}

const retryable = new Set(['40001', '40P01'])
export function isRetryable(error: unknown): boolean {
  return retryable.has((error as { code?: string }).code ?? '')
}

/** The server refuses writes on this connection: it became a standby, or its connections did. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string }).code === '25006'
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  // a unix socket whose queue of new connections is full, because the server is stopped
  'EAGAIN',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const connectionTexts =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|not queryable|Connection ended|connection timeout/i

const internalError = 'XX000'
// Citus reports a connection between its nodes that broke as an internal error, with the message of the client library
const lostNodeTexts =
  /^(server closed the connection unexpectedly|SSL (SYSCALL error|connection has been closed)|could not (receive|send) data|no connection to the server|connection not open|failure on connection marked as essential|could not commit transaction for shard)/

/** True if the database could not answer, as opposed to rejecting the statement. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (connectionErrors.has(code) || connectionTexts.test(message)) return true
  if (code === internalError) return lostNodeTexts.test(message)
  // 08 connection, 53 out of resources, 57 operator intervention, 55P03 lock timeout, 40 serialization, 25P03 idle in transaction
  return /^(08|53|57P|40|58)/.test(code) || ['57014', '55P03', '25P03'].includes(code) || isReadOnly(error)
}

// Citus has a constraint on each part of a table, whose number it appends to the name
const shardSuffix = /_\d{6,}$/
// it passes on an error of another node without the name, and an error while it copies rows of an `insert … select` also without the code
const violationText = /violates [a-z ]*constraint "(\w+)"/

/** The name of the violated constraint as in the migrations, or undefined. */
export function violated(error: unknown): string | undefined {
  const {
    code = '',
    constraint,
    message = '',
  } = (error ?? {}) as { code?: string; constraint?: string; message?: string }
  if (!code.startsWith('23') && code !== internalError) return undefined
  return (constraint ?? violationText.exec(message)?.[1])?.replace(shardSuffix, '')
}
