import { request } from 'undici'
import type { TimeStamp } from '../security/time-stamp.ts'

/** A time stamp that was obtained and checked. `reply` is the whole reply of the authority (a `.tsr` file). */
export type ObtainedTimeStamp = TimeStamp & { reply: Buffer }

/** A time stamp authority (RFC 3161) of the operator of the server. */
export type TimeStamps = {
  /**
   * Obtains a time stamp over a SHA-256 of 32 bytes, and checks it. Ends within the timeout. Throws TimeStampsNotReached and
   * TimeStampProblem.
   */
  stamp(sha256: Buffer): Promise<ObtainedTimeStamp>
}

/** The authority could not be reached, or answered with something else than a time stamp. */
export class TimeStampsNotReached extends Error {
  readonly kind = 'NOT_REACHED'
}

/** The whole exchange; authorities answer in about a second. */
const timeoutMs = 10_000
/** Replies have about 2 to 10 KB, most of them certificates. */
const maxReplyBytes = 65_536

/** Opens the authority at a URL, which only the operator chooses. Redirects are not followed. */
export function openTimeStamps(url: string, options: { timeoutMs?: number } = {}): TimeStamps {
  return {
    async stamp(sha256) {
      // the parser of certificates is loaded on first use
      const { checkTimeStamp, timeStampRequest } = await import('../security/time-stamp.ts')
      const { bytes, nonce } = timeStampRequest(sha256)
      const reply = await post(url, bytes, options.timeoutMs ?? timeoutMs)
      return { ...(await checkTimeStamp(reply, sha256, nonce)), reply }
    },
  }
}

async function post(url: string, body: Buffer, timeout: number): Promise<Buffer> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body,
      signal: AbortSignal.timeout(timeout),
    })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw new Error(`status ${answer.statusCode}`)
    }
    return await readAtMost(answer.body, maxReplyBytes)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TimeStampsNotReached(`The time stamp authority gave no answer: ${reason}`, { cause })
  }
}

async function readAtMost(body: AsyncIterable<Buffer>, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > bytes) throw new Error(`a reply of more than ${bytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
