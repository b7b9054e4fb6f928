import type { BetterAuthOptions } from 'better-auth'
import type { BaseLogger } from 'pino'

export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>

type LogFunction = NonNullable<NonNullable<BetterAuthOptions['logger']>['log']>

/** better-auth's log, joined to ours: only texts and errors, as the rest may hold tokens or profiles. */
export function logTo(log: Log): LogFunction {
  return (level, message, ...rest) => {
    const error = [message, ...rest].find(part => (part as unknown) instanceof Error)
    const text = `sign-in: ${String(message).slice(0, 200)}`
    if (error) log.error({ err: error }, text)
    // what better-auth calls an error or a warning without an Error is a refused request
    else if (level === 'error') log.warn(text)
    else log.debug(text)
  }
}
