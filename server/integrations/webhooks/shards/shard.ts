import { crc32 } from 'node:zlib'

/** The number of shards of a new database. Larger numbers are this one times a power of two. */
export const fewestShards = 64
/** The most shards. Each costs its owner the renewal of a lease and two look-ups for each poll. */
export const mostShards = 1024

/** True for a number of shards that a database may have. */
export function isShardCount(count: number): boolean {
  return count >= fewestShards && count <= mostShards && Number.isInteger(Math.log2(count / fewestShards))
}

/**
 * The shard of an application's webhook. It is stored with the endpoint and its due deliveries, and changes only when shards are split:
 * in twice as many shards, it is the same one or the same one plus the former number.
 */
export function shardOf(applicationId: string, shardCount: number): number {
  return crc32(applicationId) % shardCount
}

/** A running dispatcher among all that can own a shard: how many there are, and its rank from 0 on. */
export type DispatcherRank = { nodes: number; rank: number }

/** How many shards a dispatcher owns. The shares of all add up to the number of shards, and differ by one at most. */
export function shareOf(shardCount: number, { nodes, rank }: DispatcherRank): number {
  return Math.floor(shardCount / nodes) + (rank < shardCount % nodes ? 1 : 0)
}
