const textOid = 25
const headerBytes = 20

/**
 * Texts as a PostgreSQL array in binary form, without quoting or parsing: for long texts much cheaper than an
 * array literal or JSON. Needs at least one text.
 */
export function textArray(texts: readonly string[]): Buffer {
  const lengths = texts.map(text => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(headerBytes + lengths.reduce((sum, length) => sum + 4 + length, 0))
  // dimensions, null flag, element type, length, lower bound
  for (const [at, word] of [1, 0, textOid, texts.length, 1].entries()) bytes.writeInt32BE(word, at * 4)
  let at = headerBytes
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[index]!, at)
    at += bytes.write(text, at)
  }
  return bytes
}
