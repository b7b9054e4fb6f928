import type { BetterAuthOptions } from 'better-auth'
import type { BaseLogger } from 'pino'

export type SignInLog = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>

type LogFunction = NonNullable<NonNullable<BetterAuthOptions['logger']>['log']>

/**
 * Forwards better-auth's log to ours: only texts and errors, because the rest may contain tokens or profiles.
 */
export function logTo(log: SignInLog): LogFunction {
  return (level, message, ...rest) => {
    const error = [message, ...rest].find(part => (part as unknown) instanceof Error)
    const text = `sign-in: ${String(message).slice(0, 200)}`
    if (error) log.error({ err: error }, text)
    // better-auth's errors and warnings without an Error are refused requests
    else if (level === 'error') log.warn(text)
    else log.debug(text)
  }
}
