import { parseArgs } from 'node:util'
import type { CommandContext } from '#server/area.ts'
import { ConfigError } from '#server/config.ts'
import { fewestShards, isShardCount, mostShards } from './shard.ts'
import { readLayout } from './split-shards.sql.ts'
import { splitShards } from './split-shards.ts'

/**
 * `webhook-shards [count]`: prints the number of shards of webhooks and how many of them workers own. With a count, splits the shards
 * first.
 */
export async function runWebhookShards(
  args: string[],
  { print, withDatabase }: CommandContext,
): Promise<number> {
  const [count, ...others] = parseArgs({ args, allowPositionals: true }).positionals
  if (others.length > 0 || (count !== undefined && !isShardCount(Number(count))))
    throw new ConfigError(
      `Usage: webhook-shards [count], with ${fewestShards} times a power of two, up to ${mostShards}`,
    )
  const { dispatchers, held_shards, shard_count, split_into } = await withDatabase(async database => {
    if (count !== undefined) await splitShards(database, Number(count), print)
    return database.crossTenant.one(readLayout)
  })
  print(
    `${shard_count} shards of webhooks, of which ${held_shards} have an owner. Workers that own some: ${dispatchers}`,
  )
  if (split_into !== null)
    print(
      `They are being split into ${split_into}: no webhook is sent until webhook-shards ${split_into} ends.`,
    )
  return 0
}
