import { createHash } from 'node:crypto'
import { itemAt } from './elements.ts'

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An element of a list that is not empty. `random` returns numbers from 0 to 1. */
export function pick<Item>(random: () => number, list: readonly Item[]): Item {
  return itemAt(list, Math.floor(random() * list.length))
}

/** 32 hexadecimal digits for a number, always the same ones, whose order has nothing to do with that of the numbers. */
export function scattered(n: number): string {
  return createHash('md5').update(`${n}`).digest('hex')
}
