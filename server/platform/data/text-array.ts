const textOid = 25
const headerBytes = 20

/**
 * Texts as PostgreSQL takes an array of them in its binary form: nothing is quoted and nothing is parsed, which for
 * long texts costs a fraction of an array literal or of JSON. One text at least.
 */
export function textArray(texts: readonly string[]): Buffer {
  const lengths = texts.map(text => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(headerBytes + lengths.reduce((sum, length) => sum + 4 + length, 0))
  // one dimension, without nulls, of this type, so long, counted from 1
  for (const [at, word] of [1, 0, textOid, texts.length, 1].entries()) bytes.writeInt32BE(word, at * 4)
  let at = headerBytes
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[index]!, at)
    at += bytes.write(text, at)
  }
  return bytes
}
