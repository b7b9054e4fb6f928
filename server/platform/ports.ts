import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// below 32768 (Linux) and 49152 (macOS, Windows), where the range of ephemeral ports begins
const lowest = 15_000
const highest = 32_000
const attempts = 100

/**
 * A port that is free to listen on. A port that the system chooses could be given to another program or
 * outgoing connection before it is used; these ports are never chosen by the system.
 */
export async function freePort(host: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(lowest, highest)
    try {
      await tryToListen(host, port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === attempts) throw error
    }
  }
}

/** Rejects with the system's error if nobody can listen there. */
export function tryToListen(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
