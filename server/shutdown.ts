import type { Log } from './platform/log.ts'

/** After the drain: what the database still holds back is given up. */
const leftoverMs = 4_000

/**
 * Resolves on SIGTERM, SIGINT, or when the supervisor is gone. From then on the process may drain and let go of
 * what it has; what still holds it back then is cut off. Errors that nobody caught are logged and end the
 * process, which its supervisor starts again.
 */
export function untilShutdownSignal(log: Log, drainSeconds: number): Promise<void> {
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'an error that nobody caught')
    process.exit(1)
  })
  return new Promise(resolve => {
    let isStopping = false
    function stop(reason: string): void {
      if (isStopping) return
      isStopping = true
      log.info({ reason }, 'stopping')
      // the supervisor's channel alone must not keep this process
      process.channel?.unref()
      resolve()
      setTimeout(
        () => {
          log.warn('what was left did not end in time')
          process.exit(1)
        },
        drainSeconds * 1000 + leftoverMs,
      ).unref()
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
    process.on('disconnect', () => stop('the supervisor is gone'))
    // gone before anybody listened
    if (process.connected === false) stop('the supervisor is gone')
  })
}

/** Tells the supervisor, when there is one, that this process is at work. */
export function printReady(message: { address?: string } = {}): void {
  if (process.connected) process.send!(message)
}
