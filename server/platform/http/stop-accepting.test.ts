import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { stopAccepting } from './stop-accepting.ts'

test('connections that wait to be accepted are answered, and later ones are refused', async () => {
  const server = createServer((_, reply) => reply.end('here')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    return text(socket)
  }
  // the kernel connects them at once, and the event loop has no turn to accept them
  const waiting = Array.from({ length: 20 }, ask)
  const closed = once(server, 'close')
  await stopAccepting(server)
  for (const answer of await Promise.all(waiting)) expect(answer).toMatch(/^HTTP\/1.1 200 /)
  await closed
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
