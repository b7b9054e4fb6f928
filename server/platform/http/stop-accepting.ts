import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

const shortTurnMs = 0.5
const longestMs = 1_000

/**
 * Closes the socket that listens, so that the next connection is refused. A proxy sends the request of a refused connection to another
 * process. But the kernel completes connections before the process accepts them, and resets those that it has not accepted when the
 * socket closes: their requests fail. So the socket closes after a short turn of the event loop in which none was waiting, or after a
 * second.
 */
export async function stopAccepting(server: Server): Promise<void> {
  let accepted = 0
  server.on('connection', () => accepted++)
  const startedAt = performance.now()
  // the turn that is running may end before any connection is accepted
  await nextTurn()
  while (performance.now() - startedAt < longestMs) {
    const before = { accepted, at: performance.now() }
    // a turn accepts one connection
    await nextTurn()
    if (accepted === before.accepted && performance.now() - before.at < shortTurnMs) break
  }
  server.close()
}
