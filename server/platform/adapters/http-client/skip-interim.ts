import type { Socket } from 'node:net'

/** A connection that skips interim responses (1xx) before the parser sees them. */
export type InterimFilter = {
  /** The next bytes start a response. */
  awaitResponse(): void
}

/** The position of the status in `HTTP/1.1 200`, and its first digit in an interim response. */
const statusAt = 9
const digitOne = 0x31
const interimLine = /^HTTP\/1\.[01] 1\d\d[ \r]/
const statusLineBytes = 13
const headEnd = '\r\n\r\n'
/** A longer interim response reaches the parser, which refuses it. */
const maxBytes = 16_384

/**
 * Skips interim responses on a connection. undici treats an unexpected 100 or 101 as a broken response,
 * although RFC 9110 (15.2) lets a client ignore any 1xx. The bytes of an interim response are dropped before
 * they are readable. Any other response costs one comparison.
 */
export function skipInterim(socket: Socket): InterimFilter {
  let isAwaiting = true
  let buffered: Buffer | undefined
  const push = socket.push.bind(socket)

  function passOn(bytes: Buffer): boolean {
    isAwaiting = false
    buffered = undefined
    return push(bytes)
  }
  socket.push = (chunk: Buffer | null) => {
    if (!isAwaiting || chunk === null) return push(chunk)
    // nearly every response
    if (buffered === undefined && chunk.length > statusAt && chunk[statusAt] !== digitOne)
      return passOn(chunk)
    let bytes = buffered ? Buffer.concat([buffered, chunk]) : chunk
    while (bytes.length >= statusLineBytes) {
      if (!interimLine.test(bytes.toString('latin1', 0, statusLineBytes))) return passOn(bytes)
      const end = bytes.indexOf(headEnd, 0, 'latin1')
      if (end === -1 && bytes.length > maxBytes) return passOn(bytes)
      if (end === -1) break
      bytes = bytes.subarray(end + headEnd.length)
    }
    buffered = bytes
    return true
  }
  return {
    awaitResponse() {
      isAwaiting = true
    },
  }
}
