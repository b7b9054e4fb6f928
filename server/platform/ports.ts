import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// below 32768 (Linux) and 49152 (macOS, Windows), from where on the system gives ports away by itself
const lowest = 15_000
const highest = 32_000
const attempts = 100

/**
 * A port that a server can listen on a moment from now. A port that the system chooses is free again until then, and it
 * may give it to any other program or outgoing connection; of these ports it gives none away.
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

/** Fails with the error of the system when nobody can listen there. */
export function tryToListen(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
