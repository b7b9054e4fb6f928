import { createHmac } from 'node:crypto'
import { defined } from '../elements.ts'

/** RFC 6238 with SHA-1, six digits, thirty seconds; `step` 1 is the next code. */
export function codeOf(totpUri: string, step = 0): string {
  const secret = defined(new URL(totpUri).searchParams.get('secret'))
  const bits = [...secret]
    .map(sign => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(defined(bits.match(/.{8}/g)).map(byte => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const at = defined(digest[19]) & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
