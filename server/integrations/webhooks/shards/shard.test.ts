import { describe, expect, it } from 'vitest'
import { newId } from '#platform/ids.ts'
import { fewestShards, isShardCount, mostShards, shardOf, shareOf } from './shard.ts'

const counts = Array.from({ length: mostShards + 2 }, (_, count) => count).filter(isShardCount)

it('the number of shards is 64 times a power of two, up to 1,024', () => {
  expect(counts).toEqual([64, 128, 256, 512, 1024])
  expect([Number.NaN, 64.5, -64, 2048, Number.POSITIVE_INFINITY].filter(isShardCount)).toEqual([])
})

it('a split shard is the same one, or the same one plus a multiple of the former number', () => {
  for (let n = 0; n < 1_000; n++) {
    const id = newId()
    for (const count of counts) expect(shardOf(id, count) % fewestShards).toBe(shardOf(id, fewestShards))
  }
})

describe('the shares of all dispatchers', () => {
  const sharesOf = (shardCount: number, nodes: number) =>
    Array.from({ length: nodes }, (_, rank) => shareOf(shardCount, { nodes, rank }))

  it('cover all shards and differ by one at most, for any number of dispatchers', () => {
    for (const count of counts)
      for (let nodes = 1; nodes <= count + 10; nodes++) {
        const shares = sharesOf(count, nodes)
        expect(shares.reduce((sum, share) => sum + share)).toBe(count)
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      }
  })

  it('leave no dispatcher of 100 without work in 128 shards, and 36 in 64', () => {
    const idle = (shardCount: number) => sharesOf(shardCount, 100).filter(share => share === 0).length
    expect([idle(64), idle(128)]).toEqual([36, 0])
  })
})
