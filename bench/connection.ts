import { connect } from 'node:net'

/** A keep-alive HTTP/1.1 connection with one request at a time, with as little client work as possible. */
export type Connection = {
  /** Writes a whole request; `answered` is called with its response. */
  ask(request: string, answered: (status: number, bytes: Buffer) => void): void
  close(): void
}

const endOfHead = Buffer.from('\r\n\r\n')

/** Connects to a local port. `lost` is called if the connection ends unexpectedly. */
export function openConnection(port: number, lost: (error: Error) => void): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let answered: (status: number, bytes: Buffer) => void = () => {}
  let held: Buffer | undefined
  let isClosed = false

  socket.on('error', lost)
  socket.on('close', () => {
    if (!isClosed) lost(new Error(`port ${port} closed the connection`))
  })
  socket.on('data', chunk => {
    const bytes = held ? Buffer.concat([held, chunk]) : chunk
    const size = answerSize(bytes)
    held = size === undefined || bytes.length < size ? bytes : undefined
    if (held) return
    answered((bytes[9]! - 48) * 100 + (bytes[10]! - 48) * 10 + bytes[11]! - 48, bytes)
  })
  return new Promise(resolve => {
    socket.on('connect', () =>
      resolve({
        ask(request, onReply) {
          answered = onReply
          socket.write(request)
        },
        close() {
          isClosed = true
          socket.destroy()
        },
      }),
    )
  })
}

/** The size of the whole response in bytes, or undefined until its head has arrived. */
function answerSize(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(endOfHead)
  if (end === -1) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end + 2))
  if (!length) throw new Error(`an answer without length: ${bytes.toString('latin1', 0, end)}`)
  return end + 4 + Number(length[1])
}
