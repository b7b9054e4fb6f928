import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
})
afterAll(() => server.close())

/** A connection whose requests nobody may make. */
async function openConnection(): Promise<{ socket: Socket; received(): string }> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  return { socket, received: () => text }
}

const head = (length: number) =>
  `POST /api/studio/assets HTTP/1.1\r\nHost: patio\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const refusal = /^HTTP\/1\.1 401 /

test('a refusal before the end of the body ends the connection, and the rest of the body does not break the reply', async () => {
  const { socket, received } = await openConnection()
  const ended = once(socket, 'end')
  socket.write(`${head(300_000)}{"name":`)
  await ended
  expect(received()).toMatch(refusal)
  expect(received()).toMatch(/^connection: close\r$/im)
  // the first piece would be answered with a reset, which the second one finds
  for (let piece = 0; piece < 3; piece++) await new Promise(sent => socket.write('x'.repeat(90_000), sent))
  socket.end('x'.repeat(29_992))
  await once(socket, 'close')
  expect(received().split('HTTP/1.1 ')).toHaveLength(2)
})

test('a refusal after the whole body keeps the connection', async () => {
  const { socket, received } = await openConnection()
  socket.write(`${head(2)}{}`)
  await until('the first reply', () => refusal.test(received()))
  expect(received()).not.toMatch(/^connection: close/im)
  socket.write(`${head(2)}{}`)
  await until('the second reply', () => received().split('HTTP/1.1 401 ').length === 3)
  socket.destroy()
})
