/** A part of a stream. Read its bytes to their end before the next part is taken. */
export type StreamPart = { bytes(): AsyncGenerator<Buffer>; size(): number }

/** Cuts a stream into parts of at most `partBytes`. An empty stream has no part. */
export async function* cutIntoParts(
  source: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<StreamPart> {
  const chunks = source[Symbol.asyncIterator]()
  let held = await next()

  async function next(): Promise<Buffer | undefined> {
    const { value, done } = await chunks.next()
    return done ? undefined : value
  }

  while (held) {
    let size = 0
    yield {
      async *bytes() {
        while (held && size < partBytes) {
          const bytes = held.subarray(0, partBytes - size)
          size += bytes.length
          const rest = held.subarray(bytes.length)
          yield bytes
          held = rest.length > 0 ? rest : await next()
        }
      },
      size: () => size,
    }
  }
}
