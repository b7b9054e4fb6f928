import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { exactly } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { dataFolder, endAll, isAlive, removeFolders, runProgram } from '#tests/support/processes.ts'
import { clusterProgram, requirePrograms } from './programs.ts'

// Needs Debian's package haproxy.
let database: FreshDatabase | undefined
afterAll(async () => {
  endAll()
  await database?.drop()
  removeFolders()
})

test('a HAProxy that cannot start ends the command and everything that it started, with the reason', async () => {
  requirePrograms({ haproxy: 'haproxy' })
  database = await freshDatabase()
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const cluster = runProgram(
    [...clusterProgram, '--port', String(port), '--folder', dataFolder(), '--api', '1', '--workers', '1'],
    { DATABASE_URL: database.url },
  )
  const { code, output } = await cluster.exited
  other.close()
  expect(code).toBe(1)
  expect(output).toMatch(new RegExp(`cannot bind socket .*127\\.0\\.0\\.1:${port}`))
  expect(output).toContain('haproxy failed 5 times in a row')
  const pids = [...output.matchAll(/ is process (\d+)$/gm)].map(([, pid]) => Number(pid))
  expect(exactly(7, pids).filter(isAlive)).toEqual([])
})
