/** A first-in, first-out queue that takes in constant time. */
export type FifoQueue<T> = {
  add(value: T): void
  take(): T | undefined
  size(): number
  clear(): void
}

export function openFifoQueue<T>(): FifoQueue<T> {
  let list: T[] = []
  let head = 0
  return {
    add: value => void list.push(value),
    take() {
      if (head === list.length) return undefined
      const value = list[head]!
      list[head++] = undefined as T
      if (head > 1_024 && head * 2 > list.length) {
        list = list.slice(head)
        head = 0
      }
      return value
    },
    size: () => list.length - head,
    clear() {
      list = []
      head = 0
    },
  }
}
