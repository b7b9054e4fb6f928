/**
 * The client of the files row, a separate process: sends and receives large bodies as fast as the other side
 * allows.
 */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { answer } from './answers.ts'

export type Transfer = {
  port: number
  path: string
  token?: string
  status: number
  /** Sends a file of this size; otherwise receives the body. */
  sends?: number
}
export type Transferred = { seconds: number; bytes: number; text: string }

const chunk = randomBytes(256 * 1024)
answer({ transfer })

function transfer({ port, path, token, status, sends }: Transfer): Promise<Transferred> {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const { promise, resolve, reject } = Promise.withResolvers<Transferred>()
  const startedAt = performance.now()
  const clientRequest = request({
    host: '127.0.0.1',
    port,
    path,
    method: sends === undefined ? 'GET' : 'POST',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(sends !== undefined && {
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': head.length + sends + tail.length,
      }),
    },
  })
  clientRequest.on('error', reject)
  clientRequest.on('response', response => {
    let bytes = 0
    let text = ''
    response.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (text.length < 2_000) text += piece.toString('latin1', 0, 2_000)
    })
    response.on('error', reject)
    response.on('end', () => {
      if (response.statusCode !== status) reject(new Error(`${path}: ${response.statusCode} ${text}`))
      else resolve({ seconds: (performance.now() - startedAt) / 1000, bytes, text })
    })
  })
  if (sends === undefined) clientRequest.end()
  else void send(sends)
  return promise

  async function send(size: number): Promise<void> {
    clientRequest.write(head)
    // all files differ, so that each has to be written
    randomBytes(32).copy(chunk)
    for (let left = size; left > 0; left -= chunk.length) {
      if (!clientRequest.write(left < chunk.length ? chunk.subarray(0, left) : Buffer.from(chunk)))
        await new Promise(drained => clientRequest.once('drain', drained))
    }
    clientRequest.end(tail)
  }
}
