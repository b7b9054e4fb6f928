import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import * as store from './shard.sql.ts'
import { fewestShards, mostShards, shardOf, shareOf } from './shard.ts'

/** The shards that this process owns. */
export type Leases = {
  readonly owner: string
  /** The epoch in which this process owns a shard; undefined if it does not, or is releasing it. */
  epochOf(shard: number): number | undefined
  shards(): number[]
  /** The shard of an application. */
  shardOf(applicationId: string): number
  /** True for a shard whose owners crashed repeatedly. */
  isCrashProne(shard: number): boolean
  /** False as soon as the leases may have expired, by the local clock and without a query. */
  areValid(): boolean
  close(): Promise<void>
}

export type LeasesOptions = {
  database: Database
  owner: string
  log: Pick<Log, 'info' | 'warn'>
  leaseMs: number
  onGained(): void
  onLost(shards: readonly number[]): void
  /** True if a shard has no request in flight and no unrecorded result. */
  isIdle(shard: number): boolean
}

type LeaseState = LeasesOptions & {
  owned: Map<number, number>
  /** Shards that go to another process. */
  releasing: Set<number>
  crashProne: Set<number>
  /** The number of shards and whether they are being split, as this process read them last. */
  shardCount: number
  isSplitting: boolean
  validUntil: number
  stop: AbortController
}

const renewalsPerLease = 6
/** A single crash is an accident. */
const crashProneCount = 2

/**
 * Holds an equal share of the shards, by the clock of the database. Each takeover starts a new epoch, which reveals late
 * writes of an earlier owner. Shards beyond the share of this process are released when they are idle, and all of them while shards
 * are split.
 */
export function openLeases(options: LeasesOptions): Leases {
  const state: LeaseState = {
    ...options,
    owned: new Map(),
    releasing: new Set(),
    crashProne: new Set(),
    shardCount: fewestShards,
    isSplitting: false,
    validUntil: 0,
    stop: new AbortController(),
  }
  const { database, owner, leaseMs, owned, releasing, log, stop } = state
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await renew(state).catch(error => log.warn({ err: error }, 'could not renew the webhook shard leases'))
      await sleep(leaseMs / renewalsPerLease, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    owner,
    epochOf: shard => (releasing.has(shard) ? undefined : owned.get(shard)),
    shards: () => [...owned.keys()].filter(shard => !releasing.has(shard)),
    shardOf: applicationId => shardOf(applicationId, state.shardCount),
    isCrashProne: shard => state.crashProne.has(shard),
    areValid: () => monotonicMs() < state.validUntil,
    async close() {
      stop.abort()
      await running
      const shards = [...owned.keys()]
      owned.clear()
      await Promise.all([
        database.crossTenant.rows(store.releaseShards, { owner, shards }),
        database.crossTenant.rows(store.deleteNode, { owner }),
      ]).catch(() => {})
    },
  }
}

function crashProneShards(shards: readonly store.LeasedShard[]): Set<number> {
  return new Set(shards.filter(({ crash_count }) => crash_count >= crashProneCount).map(({ shard }) => shard))
}

async function renew(state: LeaseState): Promise<void> {
  const { database, leaseMs, owned, owner } = state
  const at = monotonicMs()
  const renewed = await database.crossTenant.one(store.renewLeases, {
    owner,
    seconds: leaseMs / 1000,
    maxShards: mostShards,
  })
  compareOwned(state, renewed.shards)
  state.validUntil = at + leaseMs
  noteLayout(state, renewed)
  // nobody takes shards of a number that it cannot know
  const mayOwn = !renewed.is_splitting && renewed.shard_count <= mostShards
  const share = mayOwn ? shareOf(renewed.shard_count, renewed) : 0
  await releaseExcess(state, share)
  if (owned.size < share) await take(state, share - owned.size)
}

/** Forgets shards that this process has lost, and adopts those that it took without getting the answer. */
function compareOwned(state: LeaseState, shards: readonly store.LeasedShard[]): void {
  const { log, onGained, onLost, owned, releasing } = state
  const current = new Map(shards.map(({ shard, epoch }) => [shard, epoch]))
  const lost = [...owned].filter(([shard, epoch]) => current.get(shard) !== epoch).map(([shard]) => shard)
  for (const shard of lost) owned.delete(shard)
  for (const shard of lost) releasing.delete(shard)
  state.crashProne = crashProneShards(shards)
  if (lost.length > 0) {
    log.warn({ shards: lost.length }, 'lost webhook shards to another process')
    onLost(lost)
  }
  const adopted = [...current].filter(([shard]) => !owned.has(shard))
  for (const [shard, epoch] of adopted) owned.set(shard, epoch)
  if (adopted.length > 0) onGained()
}

function noteLayout(state: LeaseState, { is_splitting, shard_count }: store.RenewedLeases): void {
  if (is_splitting && !state.isSplitting)
    state.log.info({}, 'webhook shards are being split: deliveries wait until the command ends')
  if (shard_count !== state.shardCount)
    state.log.info({ shards: shard_count }, 'webhooks have another number of shards')
  state.isSplitting = is_splitting
  state.shardCount = shard_count
}

async function take(state: LeaseState, most: number): Promise<void> {
  const { database, leaseMs, log, onGained, owned, owner, shardCount } = state
  const taken = await database.crossTenant.rows(store.takeShards, {
    owner,
    seconds: leaseMs / 1000,
    most,
    shardCount,
  })
  const suspects = crashProneShards(taken)
  for (const shard of suspects) state.crashProne.add(shard)
  if (suspects.size > 0)
    log.warn(
      { shards: suspects.size },
      'earlier owners of these webhook shards crashed: sending one delivery at a time',
    )
  for (const { shard, epoch } of taken) owned.set(shard, epoch)
  if (taken.length > 0) {
    log.info({ shards: taken.length }, 'took over webhook shards')
    onGained()
  }
}

/** Releases shards beyond this process's share, once they are idle. */
async function releaseExcess(
  { database, isIdle, releasing, onLost, owned, owner }: LeaseState,
  share: number,
): Promise<void> {
  const tooMany = owned.size - releasing.size - share
  if (tooMany > 0) {
    const chosen = [...owned.keys()].filter(shard => !releasing.has(shard)).slice(-tooMany)
    for (const shard of chosen) releasing.add(shard)
    onLost(chosen)
  }
  const idle = [...releasing].filter(isIdle)
  if (idle.length === 0) return
  // a release that fails is repeated: this process would renew the lease for ever, and send nothing
  await database.crossTenant.rows(store.releaseShards, { owner, shards: idle })
  for (const shard of idle) owned.delete(shard)
  for (const shard of idle) releasing.delete(shard)
}
