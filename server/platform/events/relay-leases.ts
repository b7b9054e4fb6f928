import { monotonicMs } from '../clock.ts'
import type { Database } from '../data/database.ts'
import type { Log } from '../log.ts'
import { shardsOf } from './relay-layout.ts'
import * as store from './relay-lease.sql.ts'

/** The leases that a process holds, as far as it knows. */
export type RelayLeases = {
  /** The shards that these leases cover together, and their fences; undefined without a lease. */
  held(): HeldShards | undefined
  /** Renews the leases and takes its share of the others, if it is time. Throws nothing but errors of the database. */
  refresh(): Promise<void>
  /** Called when a batch found a lease lost: the next refresh does not wait for its time. */
  suspectLoss(): void
  /** Milliseconds until the next refresh. */
  refreshInMs(): number
  release(): Promise<void>
}

export type HeldShards = {
  fences: readonly number[]
  shards: readonly number[]
  /** True if no other process can hold any shard. */
  areAll: boolean
}

type LeasesOptions = {
  database: Database
  /** The name of the connection whose end frees the leases. */
  holder: string
  leaseMs: number
  log: Pick<Log, 'info' | 'warn'>
}

/** How often a process looks for leases that it may take. */
const lookMs = 1_000
/** The same while it waits for a holder to finish a batch. */
const busyLookMs = 50
const renewalsPerLease = 3

/**
 * Keeps an equal share of the leases of the relay. All are renewed by one statement, which also looks for others: a process that
 * starts, and one that lacks two leases in comparison with another one, takes some from it.
 */
export function openRelayLeases({ database, holder, leaseMs, log }: LeasesOptions): RelayLeases {
  let leases: store.HeldLease[] = []
  let held: HeldShards | undefined
  let refreshAt = 0
  let validUntil = 0

  return {
    held: () => held,
    suspectLoss() {
      refreshAt = 0
    },
    refreshInMs: () => Math.max(0, refreshAt - monotonicMs()),
    async refresh() {
      const at = monotonicMs()
      if (at < refreshAt) return
      const found = await database.crossTenant.one(store.renewAndTakeLeases, {
        fences: leases.map(({ fence }) => fence),
        holder,
        seconds: leaseMs / 1000,
      })
      report(leases, found.leases, at < validUntil, log)
      leases = found.leases
      held = leases.length > 0 ? heldShards(leases) : undefined
      validUntil = at + leaseMs
      if (found.isBusy) refreshAt = at + busyLookMs
      else
        refreshAt =
          at + Math.min(leaseMs / renewalsPerLease, held?.areAll ? Number.POSITIVE_INFINITY : lookMs)
    },
    async release() {
      const fences = leases.map(({ fence }) => fence)
      leases = []
      held = undefined
      if (fences.length > 0) await database.crossTenant.rows(store.releaseLeases, { fences })
    },
  }
}

function heldShards(leases: readonly store.HeldLease[]): HeldShards {
  const shards = leases.flatMap(({ name }) => shardsOf(name))
  return { fences: leases.map(({ fence }) => fence), shards, areAll: shards.length === store.outboxShards }
}

/** Logs what changed. A lease that was lost while it was valid went to another process as its share, or to another layout. */
function report(
  before: readonly store.HeldLease[],
  now: readonly store.HeldLease[],
  wereValid: boolean,
  log: LeasesOptions['log'],
): void {
  const lost = without(before, now)
  const taken = without(now, before)
  if (lost.length > 0 && wereValid) log.info({ leases: lost }, 'gave relay leases to another process')
  else if (lost.length > 0) log.warn({ leases: lost }, 'lost relay leases to another process')
  if (taken.length > 0) log.info({ leases: taken }, 'acquired relay leases')
}

function without(leases: readonly store.HeldLease[], others: readonly store.HeldLease[]): store.HeldLease[] {
  return leases.filter(({ fence }) => others.every(other => other.fence !== fence))
}
