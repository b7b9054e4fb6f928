import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openNats } from '#platform/adapters/nats.ts'
import type { SignalCarrier } from '#platform/events/signal-carrier.ts'
import { openLog } from '#platform/log.ts'
import { freePort } from '#platform/ports.ts'
import { startProgram } from './processes.ts'

/** Starts a NATS server with its defaults; returns a reason if this machine does not have it. */
export async function startNats(): Promise<{ port: number; stop(): Promise<void> } | string> {
  const program = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(
    existsSync,
  )
  if (!program) return 'nats-server is not installed (Debian: nats-server)'
  const port = await freePort('127.0.0.1')
  const { stop } = startProgram(program, ['-a', '127.0.0.1', '-p', String(port), '-l', '/dev/null'])
  return { port, stop }
}

/** A connection of the product to it, once it is open. */
export async function openBenchNats(port: number): Promise<SignalCarrier> {
  const nats = await openNats({
    to: { servers: [`127.0.0.1:${port}`], isTls: false, user: undefined, password: undefined },
    name: 'patio bench',
    readInstallationId: async () => 'bench',
    log: openLog('error', 'bench'),
  })
  while (!nats.isConnected()) await sleep(10)
  return nats
}
