import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, removeFolders } from '#tests/support/processes.ts'
import { isUnavailable, violated } from './errors.ts'

afterAll(removeFolders)

test('a stopped server whose queue of connections is full is unavailable', async () => {
  const folder = dataFolder()
  const path = join(folder, '.s.PGSQL.5432')
  const program = `require('node:net').createServer().listen({ path: '${path}', backlog: 1 }, () => console.log('listening'))`
  const server = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const waiting: Socket[] = []
  try {
    await once(server.stdout, 'data')
    server.kill('SIGSTOP')
    const full = Promise.withResolvers<void>()
    for (let count = 0; count < 4; count++) waiting.push(connect(path).on('error', () => full.resolve()))
    await full.promise
    const error = await new pg.Client({ host: folder }).connect().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toMatchObject({ code: 'EAGAIN' })
    expect(isUnavailable(error)).toBe(true)
  } finally {
    for (const socket of waiting) socket.destroy()
    server.kill('SIGKILL')
  }
})

test.each([
  ['person_email_key', 'person_email_key'],
  ['person_email_key_102008', 'person_email_key'],
  ['signature_of_2026', 'signature_of_2026'],
])('the constraint %s is called %s, whatever part of the table it is on', (constraint, name) => {
  expect(violated({ code: '23505', constraint })).toBe(name)
  expect(violated({ code: '42P01', constraint })).toBeUndefined()
  const message = `insert or update on table "x_102499" violates foreign key constraint "${constraint}"`
  for (const code of ['23503', 'XX000']) expect(violated({ code, message })).toBe(name)
  expect(violated({ code: 'XX000', message: 'cache lookup failed' })).toBeUndefined()
})

test.each([
  'failure on connection marked as essential: 127.0.0.1:5702',
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
  'could not commit transaction for shard 102008 on at least one active node',
])('a node of Citus that ended is unavailable: %s', message => {
  expect(isUnavailable({ code: 'XX000', message })).toBe(true)
  expect(isUnavailable({ code: 'XX000', message: `unexpected: ${message}` })).toBe(false)
})
