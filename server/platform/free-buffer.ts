/**
 * Frees the memory of an unused buffer. With many buffers of a large body, the garbage collector would scan
 * the whole heap again and again.
 */
export function freeBuffer({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
