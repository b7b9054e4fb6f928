import { randomFillSync } from 'node:crypto'
import { nowMs } from './clock.ts'

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const randomDigits = 16
/** The end of the time digits. */
const timeEnd = 9
/** The random digits that number ids of one call: 1.6 million. */
const orderDigits = 4
const pool = new Uint8Array(4096)
let at = pool.length

/**
 * A CUID: `c`, eight base-36 digits of the millisecond, sixteen random ones. Ordered by time, unguessable (82
 * bits), 25 characters.
 */
export function newId(): string {
  let id = firstId(nowMs())
  while (id.length < 9 + randomDigits) {
    if (at === pool.length) {
      randomFillSync(pool)
      at = 0
    }
    const byte = pool[at++]!
    // 252 is the largest multiple of 36 in a byte: beyond it the digits would not be uniform
    if (byte < 252) id += digits[byte % 36]
  }
  return id
}

/**
 * Creates `count` increasing CUIDs of one moment, for rows that are written together. With `after`, all are
 * larger than that id, even in the same millisecond or after the clock was set back.
 */
export function newIdsInOrder(count: number, after = ''): string[] {
  let base = newId().slice(0, -orderDigits)
  if (base.slice(0, timeEnd) <= after.slice(0, timeEnd)) {
    const later = Number.parseInt(after.slice(1, timeEnd), 36) + 1
    base = `c${later.toString(36).padStart(8, '0')}${base.slice(timeEnd)}`
  }
  return Array.from({ length: count }, (_, at) => base + at.toString(36).padStart(orderDigits, '0'))
}

/** The first id of a millisecond: a range of time is a range of ids. */
export function firstId(ms: number): string {
  return `c${ms.toString(36).padStart(8, '0').slice(-8)}`
}

const shape = /^c[0-9a-z]{24}$/
export function isId(text: string): boolean {
  return shape.test(text)
}
