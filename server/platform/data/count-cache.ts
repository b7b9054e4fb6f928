/** A count, and the generation of what was counted: it is the same as long as the generation is. */
export type CachedCount = {
  generation: number
  count: number
  /** When it is over by itself, in milliseconds by the database's clock. */
  until?: number | null
}

/**
 * Counts that this process has made, to be used again while nothing has changed. The generation is read in the statement
 * that counts, and every transaction that changes what is counted raises it, so a count of the same generation is exact.
 */
export type CountCache = {
  get(key: string): CachedCount | undefined
  set(key: string, counted: CachedCount): void
}

/** Keeps up to `most` counts, and forgets those that were not asked for the longest. */
export function openCountCache(most: number): CountCache {
  const counts = new Map<string, CachedCount>()
  return {
    get(key) {
      const cached = counts.get(key)
      if (!cached) return undefined
      counts.delete(key)
      counts.set(key, cached)
      return cached
    },
    set(key, counted) {
      counts.delete(key)
      counts.set(key, counted)
      const [oldest] = counts.keys()
      if (counts.size > most && oldest !== undefined) counts.delete(oldest)
    },
  }
}

/**
 * What is known of a count now: the count itself while the generation is the same; `bound` or more, as one more than it,
 * when so many were counted that the changes since cannot have brought it down; undefined when it must be made anew. `at` is
 * the time by the database's clock.
 */
export function cachedCountNow(
  cached: CachedCount | undefined,
  generation: number,
  bound: number,
  at = 0,
): number | undefined {
  if (!cached || cached.generation > generation) return undefined
  if (cached.until && cached.until <= at) return undefined
  if (cached.generation === generation) return cached.count
  return cached.count - (generation - cached.generation) > bound ? bound + 1 : undefined
}

/** The counts of each database that this process works with. */
export function countCacheOf(most: number): (database: object) => CountCache {
  const all = new WeakMap<object, CountCache>()
  return database => {
    const cached = all.get(database) ?? openCountCache(most)
    all.set(database, cached)
    return cached
  }
}
