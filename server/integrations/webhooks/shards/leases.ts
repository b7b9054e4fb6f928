import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#contract/limits.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import * as store from './shard.sql.ts'

/** The shards that this process sends for. */
export type Leases = {
  readonly owner: string
  /** The epoch in which a shard is ours; undefined: it is not, or is being given up. */
  epochOf(shard: number): number | undefined
  shards(): number[]
  /** True while something may be due in a shard that ends its owners. */
  isDangerous(shard: number): boolean
  /** False as soon as the leases may have run out, by our own clock and without asking anybody. */
  areGood(): boolean
  close(): Promise<void>
}

export type LeasesOptions = {
  database: Database
  owner: string
  log: Pick<Log, 'info' | 'warn'>
  leaseMs: number
  onGained(): void
  onLost(shards: readonly number[]): void
  /** True when nothing of a shard is under way and everything is recorded. */
  isQuiet(shard: number): boolean
}

type Inside = LeasesOptions & {
  ours: Map<number, number>
  /** Shards that another process is to have. */
  leaving: Set<number>
  dangerous: Set<number>
  goodUntil: number
  stop: AbortController
}

const beatsPerLease = 6
/** One death is an accident. */
const dangerousDeaths = 2

/**
 * Keeps an equal share of the shards, by the clock of the database. Each take-over makes a new epoch, by which what
 * an earlier owner still writes is told apart. A shard that is too many is given up when it is quiet.
 */
export function openLeases(options: LeasesOptions): Leases {
  const inside: Inside = {
    ...options,
    ours: new Map(),
    leaving: new Set(),
    dangerous: new Set(),
    goodUntil: 0,
    stop: new AbortController(),
  }
  const { database, owner, leaseMs, ours, leaving, log, stop } = inside
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await beat(inside).catch(error => log.warn({ err: error }, 'the leases of shards could not be renewed'))
      await sleep(leaseMs / beatsPerLease, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    owner,
    epochOf: shard => (leaving.has(shard) ? undefined : ours.get(shard)),
    shards: () => [...ours.keys()].filter(shard => !leaving.has(shard)),
    isDangerous: shard => inside.dangerous.has(shard),
    areGood: () => monotonicMs() < inside.goodUntil,
    async close() {
      stop.abort()
      await running
      const shards = [...ours.keys()]
      ours.clear()
      await Promise.all([
        database.wide.rows(store.giveShardsBack, owner, shards),
        database.wide.rows(store.leave, owner),
      ]).catch(() => {})
    },
  }
}

function dangerousOf(shards: readonly store.Held[]): Set<number> {
  return new Set(shards.filter(({ deaths }) => deaths >= dangerousDeaths).map(({ shard }) => shard))
}

async function beat(inside: Inside): Promise<void> {
  const { database, leaseMs, leaving, log, onGained, onLost, ours, owner } = inside
  const at = monotonicMs()
  const { nodes, shards } = (await database.wide.first(store.beat, owner, leaseMs / 1000))!
  const still = new Map(shards.map(({ shard, epoch }) => [shard, epoch]))
  const lost = [...ours].filter(([shard, epoch]) => still.get(shard) !== epoch).map(([shard]) => shard)
  for (const shard of lost) ours.delete(shard)
  for (const shard of lost) leaving.delete(shard)
  inside.dangerous = dangerousOf(shards)
  if (lost.length > 0) {
    log.warn({ shards: lost.length }, 'another process sends for these shards now')
    onLost(lost)
  }
  inside.goodUntil = at + leaseMs
  const share = Math.ceil(limits.webhookShards / nodes)
  await giveUp(inside, share)
  const wanted = share - ours.size
  if (wanted <= 0) return
  const taken = await database.wide.rows(store.takeShards, owner, leaseMs / 1000, wanted)
  const feared = dangerousOf(taken)
  for (const shard of feared) inside.dangerous.add(shard)
  if (feared.size > 0) log.warn({ shards: feared.size }, 'owners of these shards died: one notice at a time')
  for (const { shard, epoch } of taken) ours.set(shard, epoch)
  if (taken.length > 0) {
    log.info({ shards: taken.length, nodes }, 'this process sends for more shards now')
    onGained()
  }
}

/** Gives up what is more than our share, once it is quiet. */
async function giveUp(
  { database, isQuiet, leaving, onLost, ours, owner }: Inside,
  share: number,
): Promise<void> {
  const tooMany = ours.size - leaving.size - share
  if (tooMany > 0) {
    const chosen = [...ours.keys()].filter(shard => !leaving.has(shard)).slice(-tooMany)
    for (const shard of chosen) leaving.add(shard)
    onLost(chosen)
  }
  const quiet = [...leaving].filter(isQuiet)
  if (quiet.length === 0) return
  for (const shard of quiet) ours.delete(shard)
  for (const shard of quiet) leaving.delete(shard)
  await database.wide.rows(store.giveShardsBack, owner, quiet)
}
