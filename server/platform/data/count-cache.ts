/**
 * A count, with the generation of the counted rows: the count is exact as long as the generation is
 * unchanged.
 */
export type CachedCount = {
  generation: number
  count: number
  /** When the count expires, in milliseconds of the database's clock. */
  until?: number | null
}

/**
 * Counts that this process can reuse while nothing has changed. The counting statement also reads the
 * generation, and every transaction that changes the counted rows raises it, so a count of the same
 * generation is exact.
 */
export type CountCache = {
  get(key: string): CachedCount | undefined
  set(key: string, counted: CachedCount): void
}

/** Stores up to `most` counts and evicts the least recently used. */
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
 * The known value of a count: the count if the generation is unchanged; `bound + 1` if there must still
 * be more than `bound`, because too few changes followed; undefined if it must be counted again. `at` is the
 * time of the database's clock.
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

/** One cache of counts for each database of this process. */
export function countCacheOf(most: number): (database: object) => CountCache {
  const all = new WeakMap<object, CountCache>()
  return database => {
    const cached = all.get(database) ?? openCountCache(most)
    all.set(database, cached)
    return cached
  }
}
