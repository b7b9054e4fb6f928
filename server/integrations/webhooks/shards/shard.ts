import { crc32 } from 'node:zlib'
import { limits } from '#contract/limits.ts'

/** The shard of an application's webhook. It is stored with the endpoint and never changes. */
export function shardOf(applicationId: string): number {
  return crc32(applicationId) % limits.webhookShards
}
