import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, tryToListen } from './ports.ts'

const rangeFile = '/proc/sys/net/ipv4/ip_local_port_range'

test.runIf(existsSync(rangeFile))('a free port is outside the ephemeral range', async () => {
  const [lowest = 0, highest = 0] = readFileSync(rangeFile, 'utf8').split(/\s+/).map(Number)
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort('127.0.0.1')))
  expect(ports.filter(port => port >= lowest && port <= highest)).toEqual([])
})

test('a port in use is not free', async () => {
  const server = createServer()
  const port = await freePort('127.0.0.1')
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  await expect(tryToListen('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await new Promise(resolve => server.close(resolve))
  await tryToListen('127.0.0.1', port)
})
