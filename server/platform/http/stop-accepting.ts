import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

const shortTurnMs = 0.5
const longestMs = 1_000

/**
 * Closes the socket that listens, so that the next connection is refused. A proxy gives the request of a refused connection to another
 * process. But the kernel completes connections before the process takes them over, and resets those that wait when the socket closes:
 * their requests fail. So the socket closes after a short turn of the event loop in which none waited, or after a second.
 */
export async function stopAccepting(server: Server): Promise<void> {
  let taken = 0
  server.on('connection', () => taken++)
  const startedAt = performance.now()
  // the turn that is running may end before any connection is taken over
  await nextTurn()
  while (performance.now() - startedAt < longestMs) {
    const before = { taken, at: performance.now() }
    // a turn takes over one connection
    await nextTurn()
    if (taken === before.taken && performance.now() - before.at < shortTurnMs) break
  }
  server.close()
}
