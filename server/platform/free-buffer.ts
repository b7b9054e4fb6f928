/**
 * Frees the memory of a piece that nobody needs any more. Left to the garbage collector, the pieces of a large body
 * make it look through the whole heap again and again.
 */
export function freeBuffer({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
