import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '#platform/ports.ts'
import { until } from './processes.ts'

/** A NATS server of Debian's package nats-server, which keeps its port when it is started again. */
export type NatsServer = {
  readonly port: number
  /** Its answer on its port for monitoring. */
  monitored(path: string): Promise<Record<string, unknown>>
  signal(signal: NodeJS.Signals): void
  /** Starts it again after it was killed. */
  start(): Promise<void>
  /** Kills it, and waits for its end. */
  kill(): Promise<void>
}

export async function startNatsServer(args: readonly string[] = []): Promise<NatsServer> {
  const [port, monitorPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
  let child: ChildProcess
  async function start(): Promise<void> {
    child = spawn(
      'nats-server',
      ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitorPort), ...args],
      { stdio: ['ignore', 'ignore', 'ignore'] },
    )
    const started = child
    process.once('exit', () => started.kill('SIGKILL'))
    await until('NATS accepts connections', () => accepts(port))
  }
  await start()
  return {
    port,
    monitored: async path => (await fetch(`http://127.0.0.1:${monitorPort}${path}`)).json() as never,
    signal: signal => void child.kill(signal),
    start,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })
}
