import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/ports.ts'
import { startProgram, temporaryFolder } from './processes.ts'

/** A separate Redis, which appends to a file and syncs it every second. */
export type RedisServer = { port: number; stop(): Promise<void> }

/** Starts it; returns a reason if this machine does not have it. */
export async function startRedis(): Promise<RedisServer | string> {
  const program = [
    '/usr/bin/redis-server',
    '/usr/local/bin/redis-server',
    '/opt/homebrew/bin/redis-server',
  ].find(existsSync)
  if (!program) return 'redis-server is not installed (Debian: redis-server)'
  const port = await freePort('127.0.0.1')
  const { stop } = startProgram(program, [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    temporaryFolder(),
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--maxmemory-policy',
    'noeviction',
    '--loglevel',
    'warning',
    '--logfile',
    'redis.log',
  ])
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(port)) return { port, stop }
    await sleep(25)
  }
  await stop()
  return 'redis-server does not start'
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.on('data', bytes => {
      resolve(bytes.toString().startsWith('+PONG'))
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })
}
