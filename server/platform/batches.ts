import { fail } from './fail.ts'

/** Single calls that are handled together. */
export type Batches<Item, Result> = {
  /**
   * Resolves with the result of the item when its batch is handled, and rejects with the error of the batch. Refuses
   * UNAVAILABLE when `maxPending` items wait or are being handled.
   */
  add(item: Item): Promise<Result>
  /** The number of items that wait or are being handled. */
  pending(): number
  isAnyPending(test: (item: Item) => boolean): boolean
  /** Resolves when the items that are pending now have been handled. For a shutdown, which closes what `handle` uses afterwards. */
  drained(): Promise<void>
}

export type BatchOptions<Item, Result> = {
  /** Handles a batch and returns a result for each item, in their order. */
  handle(items: readonly Item[], key: string): Promise<readonly Result[]>
  /** The items of a batch have the same key, and a key has one batch at a time. By default all items have the same. */
  keyOf?(item: Item): string
  maxBatch: number
  maxPending: number
  /** Batches of different keys that are handled at the same time; 1 by default. */
  maxConcurrent?: number
  /**
   * How long the next batch of a key is collected. It is asked with the first item of a key (`lastSize` 0) and after each of
   * its batches. By default, what arrives during a batch is the next one.
   */
  collectMs?(waiting: number, lastSize: number): number
  /** True for an error that a single item caused: the halves of the batch are then handled alone, so that only that item fails. */
  isOfOneItem?(error: unknown): boolean
  /** Called after each batch, when its items are no longer pending. */
  onHandled?(): void
}

type Entry<Item, Result> = PromiseWithResolvers<Result> & { item: Item }

/** The items of one key. It exists while it has items, or is collecting them. */
type Queue<Item, Result> = {
  key: string
  waiting: Entry<Item, Result>[]
  batch: Entry<Item, Result>[]
}

/**
 * Collects calls into batches, so that many of them cost one statement or transaction. Under load, batches grow larger instead of
 * more frequent. For calls whose sum alone matters, see `coalesced`.
 */
export function openBatches<Item, Result>(options: BatchOptions<Item, Result>): Batches<Item, Result> {
  const {
    handle,
    keyOf,
    maxBatch,
    maxPending,
    maxConcurrent = 1,
    collectMs,
    isOfOneItem,
    onHandled,
  } = options
  const queues = new Map<string, Queue<Item, Result>>()
  const ready: Queue<Item, Result>[] = []
  let running = 0
  let pending = 0

  /** In the next turn of the event loop at the earliest: the calls of this turn belong together. */
  function collect(queue: Queue<Item, Result>, lastSize: number): void {
    const ms = collectMs?.(queue.waiting.length, lastSize) ?? 0
    if (ms > 0) setTimeout(endCollecting, ms, queue)
    else setImmediate(endCollecting, queue)
  }

  function endCollecting(queue: Queue<Item, Result>): void {
    if (queue.waiting.length > 0) ready.push(queue)
    else queues.delete(queue.key)
    startBatches()
  }

  function startBatches(): void {
    while (running < maxConcurrent) {
      const queue = ready.shift()
      if (!queue) return
      running++
      void runBatch(queue)
    }
  }

  async function runBatch(queue: Queue<Item, Result>): Promise<void> {
    queue.batch = queue.waiting.splice(0, maxBatch)
    const { length } = queue.batch
    await settle(queue.batch, queue.key)
    queue.batch = []
    pending -= length
    running--
    collect(queue, length)
    startBatches()
    onHandled?.()
  }

  async function settle(entries: readonly Entry<Item, Result>[], key: string): Promise<void> {
    try {
      const results = await handle(
        entries.map(({ item }) => item),
        key,
      )
      if (results.length !== entries.length) throw new Error('A batch has a result for each of its items')
      for (const [index, { resolve }] of entries.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (entries.length > 1 && isOfOneItem?.(error)) {
        const half = entries.length >> 1
        await settle(entries.slice(0, half), key)
        await settle(entries.slice(half), key)
      } else for (const { reject } of entries) reject(error)
    }
  }

  const entries = () => [...queues.values()].flatMap(({ waiting, batch }) => [...batch, ...waiting])

  return {
    async add(item) {
      if (pending >= maxPending) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
      pending++
      const entry = { item, ...Promise.withResolvers<Result>() }
      const key = keyOf?.(item) ?? ''
      const queue = queues.get(key)
      if (queue) queue.waiting.push(entry)
      else {
        const opened = { key, waiting: [entry], batch: [] }
        queues.set(key, opened)
        collect(opened, 0)
      }
      return entry.promise
    },
    pending: () => pending,
    isAnyPending: test => entries().some(({ item }) => test(item)),
    async drained() {
      await Promise.allSettled(entries().map(({ promise }) => promise))
    },
  }
}
