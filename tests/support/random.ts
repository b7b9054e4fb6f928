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
