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
  const { shardCount, splitInto, heldShards, dispatchers } = await withDatabase(async database => {
    if (count !== undefined) await splitShards(database, Number(count), print)
    return database.crossTenant.one(readLayout)
  })
  print(
    `${shardCount} shards of webhooks, of which ${heldShards} have an owner. Workers that own some: ${dispatchers}`,
  )
  if (splitInto !== null)
    print(
      `They are being split into ${splitInto}: no webhook is sent until webhook-shards ${splitInto} ends.`,
    )
  return 0
}
