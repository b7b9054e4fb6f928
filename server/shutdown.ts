import type { Log } from './platform/log.ts'

/** The time after the drain before the process is ended. */
const leftoverMs = 4_000

/**
 * Resolves on SIGTERM, SIGINT, or when the supervisor is gone. The process may then drain and close its
 * resources; after the timeout it is ended. Uncaught errors are logged and end the process, which its
 * supervisor restarts.
 */
export function untilShutdownSignal(log: Log, drainSeconds: number): Promise<void> {
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'an uncaught error')
    process.exit(1)
  })
  return new Promise(resolve => {
    let isStopping = false
    function stop(reason: string): void {
      if (isStopping) return
      isStopping = true
      log.info({ reason }, 'stopping')
      // the supervisor's channel must not keep this process alive
      process.channel?.unref()
      resolve()
      setTimeout(
        () => {
          log.warn('shutdown timed out')
          process.exit(1)
        },
        drainSeconds * 1000 + leftoverMs,
      ).unref()
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
    process.on('disconnect', () => stop('the supervisor is gone'))
    // the supervisor may be gone already
    if (process.connected === false) stop('the supervisor is gone')
  })
}

/** Tells the supervisor, if there is one, that this process is ready. */
export function printReady(message: { address?: string } = {}): void {
  if (process.connected) process.send!(message)
}
