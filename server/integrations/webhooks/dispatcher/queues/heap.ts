/** A binary heap, which finds its first value at once. Adding and taking cost the logarithm of the size. */
export type Heap<T> = {
  add(value: T): void
  first(): T | undefined
  take(): T | undefined
  size(): number
  clear(): void
}

export function openHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const values: T[] = []

  function swap(a: number, b: number): void {
    ;[values[a], values[b]] = [values[b]!, values[a]!]
  }
  function moveUp(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isBefore(values[at]!, values[parent]!)) return
      swap(at, parent)
      at = parent
    }
  }
  function moveDown(): void {
    for (let at = 0; ; ) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < values.length && isBefore(values[child]!, values[first]!)) first = child
      if (first === at) return
      swap(at, first)
      at = first
    }
  }

  return {
    add(value) {
      values.push(value)
      moveUp(values.length - 1)
    },
    first: () => values[0],
    take() {
      const [first] = values
      const last = values.pop()
      if (values.length === 0) return last
      values[0] = last!
      moveDown()
      return first
    },
    size: () => values.length,
    clear() {
      values.length = 0
    },
  }
}
