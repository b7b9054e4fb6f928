import { columnsOf } from '../data/columns.ts'
import type { Database } from '../data/database.ts'
import type { CrossTenantTx } from '../data/db.ts'
import type { Log } from '../log.ts'
import { eventsByTopic } from './emit.ts'
import { type NumberedBatch, type NumberedEvent, numberBatch } from './number-batch.ts'
import * as store from './relay.sql.ts'
import { holdLeases, outboxShards, shareLeases } from './relay-lease.sql.ts'
import { type HeldShards, openRelayLeases, type RelayLeases } from './relay-leases.ts'
import type { Signal } from './signal.ts'
import { openWakeUpSignal, type WakeUpSignal } from './wake-up-signal.ts'

export type Relay = {
  /** True while this process holds the lease of the first shard, as far as it knows: one process at a time. */
  isHolder(): boolean
  close(): Promise<void>
}

/** Rows that are written in the transaction of a batch of events. */
export type FanOutWrite = {
  /** The number of rows. */
  rows: number
  /** Sends its statements at once. Each of them writes nothing with an outdated fence. */
  write(tx: CrossTenantTx, fences: readonly number[]): Promise<unknown>
  /** Called after the commit. Must not throw. */
  committed(): void
}
/** Finds the recipients of events, before the transaction of the batch begins; undefined: none. */
export type FanOut = (events: readonly NumberedEvent[]) => Promise<FanOutWrite | undefined>

export type RelayOptions = {
  database: Database
  signal: Signal
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Outbox rows in one transaction. */
  batchSize?: number
  leaseMs?: number
  /** How long a lost wake-up may delay an event. */
  pollMs?: number
  fanOut?: FanOut
}

type RelayState = Required<Omit<RelayOptions, 'fanOut'>> & {
  fanOut: FanOut | undefined
  wakeUp: WakeUpSignal
  leases: RelayLeases
  /** The rows that are read of each shard at once, unless this process holds all shards. */
  quota: number
  /** Rows left to process one by one, after the database refused a batch. */
  singleRowBatches: number
  isClosing: boolean
}

class LeaseLost extends Error {}

const errorPauseMs = 250
const maxFanOutRows = 10_000

/**
 * Turns the outbox into numbered events and chained audit rows. Any number of processes may run it: they share the leases, of which
 * each covers the organizations of some shards, and those without a lease wait. Each batch is one transaction, so nothing is lost or
 * duplicated wherever the process dies. A holder that was overtaken unnoticed writes nothing.
 */
export function openRelay(options: RelayOptions): Relay {
  const { batchSize = 500, leaseMs = 6_000, pollMs = 2_000, database, signal, log } = options
  const leases = openRelayLeases({ database, holder: signal.name, leaseMs, log })
  const state: RelayState = {
    ...options,
    batchSize,
    leaseMs,
    pollMs,
    wakeUp: openWakeUpSignal(),
    leases,
    quota: Math.ceil((2 * batchSize) / outboxShards),
    singleRowBatches: 0,
    isClosing: false,
    fanOut: options.fanOut,
  }
  void signal.onChanged(state.wakeUp.ring)
  signal.onReconnect(state.wakeUp.ring)
  const running = run(state)
  return {
    isHolder: () => leases.held()?.shards.includes(0) ?? false,
    async close() {
      state.isClosing = true
      state.wakeUp.stop()
      await running
    },
  }
}

async function run(state: RelayState): Promise<void> {
  const { wakeUp, leases, log } = state
  while (!state.isClosing) {
    try {
      await leases.refresh()
      const held = leases.held()
      if (held) await processNext(state, held)
      // wake-ups are for holders; the others only look for a lease
      else await wakeUp.rest(leases.refreshInMs())
    } catch (error) {
      if (error instanceof LeaseLost) {
        leases.suspectLoss()
        continue
      }
      log.error({ err: error }, 'the relay failed')
      if (isDataError(error)) await quarantineFailingRow(state).catch(() => {})
      if (!state.isClosing) await wakeUp.rest(errorPauseMs)
    }
  }
  await leases.release().catch(() => {})
}

/** Processes one batch; sleeps if it was the last one. */
async function processNext(state: RelayState, held: HeldShards): Promise<void> {
  const limit = state.singleRowBatches > 0 ? 1 : state.batchSize
  const isMore = await drainBatch(state, held, limit)
  state.singleRowBatches = Math.max(0, state.singleRowBatches - 1)
  if (!isMore) await state.wakeUp.wait(Math.min(state.pollMs, state.leases.refreshInMs()))
}

/** The next outbox rows of the shards, and whether there may be more. */
type WaitingRows = { rows: store.OutboxRow[]; isMore: boolean }

async function readWaiting(state: RelayState, held: HeldShards, limit: number): Promise<WaitingRows> {
  const { crossTenant, transactCrossTenant } = state.database
  if (held.areAll) {
    const rows = await crossTenant.rows(store.readOutbox, { limit })
    return { rows, isMore: rows.length === limit }
  }
  const quota = Math.min(state.quota, limit)
  const rows = await transactCrossTenant(async tx => {
    const [, found] = await Promise.all([
      tx.rows(store.readInIndexOrder),
      tx.rows(store.readShards, { shards: held.shards, quota, limit }),
    ])
    return found
  })
  const isFull = rows.length === limit
  const isQuotaReached = rows.some(({ shardRows }) => shardRows === quota)
  const foundRows = rows[0]?.foundRows ?? 0
  // a backlog of many shards fills a batch with few rows of each, and one of a single shard needs a high quota
  if (!isFull && isQuotaReached) state.quota = Math.min(state.batchSize, quota * 2)
  else if (foundRows > 2 * limit) state.quota = Math.max(1, Math.floor(quota / 2))
  return { rows, isMore: isFull || isQuotaReached }
}

/** Processes up to `limit` rows of the shards. True if there may be more. */
async function drainBatch(state: RelayState, held: HeldShards, limit: number): Promise<boolean> {
  const { database, fanOut, signal } = state
  const { fences } = held
  const { rows: waitingRows, isMore } = await readWaiting(state, held, limit)
  if (waitingRows.length === 0) return false
  if (await splitMixedRows(database, fences, waitingRows)) return true
  const { waiting: outboxRows, spread: fanOutWrite, ...numbered } = await fitBatch(waitingRows, fanOut)
  const { heads, events, audit } = numbered
  const isHeld = await database.transactCrossTenant(async tx => {
    // Sent together. If an earlier attempt with a lost reply still commits, its rows are gone, and this
    // attempt changes nothing
    const [, leases, inserted] = await Promise.all([
      tx.rows(shareLeases, { fences }),
      tx.one(holdLeases, { fences }),
      tx.one(store.insertBatch, store.batchArgs(fences, outboxRows, events)),
      audit.length > 0 && tx.rows(store.insertAudit, { fences, rows: JSON.stringify(audit) }),
      tx.rows(store.setHeads, {
        fences,
        ...columnsOf(heads, {
          organizationIds: 'organizationId',
          eventSeqs: 'eventSeq',
          auditSeqs: 'auditSeq',
          auditHashes: 'auditHash',
        }),
      }),
      fanOutWrite?.write(tx, fences),
    ])
    const areHeld = leases.count === fences.length
    if (areHeld && inserted.count !== outboxRows.length) throw new Error('Outbox rows were already processed')
    return areHeld
  })
  if (!isHeld) throw new LeaseLost()
  fanOutWrite?.committed()
  if (events.length > 0) signal.announce(new Map(heads.map(head => [head.organizationId, head.eventSeq])))
  // the rows that did not fit are still there
  return isMore || outboxRows.length < waitingRows.length
}

/** Splits rows that have events of several topics (see `splitRows`). False if there are none, as ever in rows of this version. */
async function splitMixedRows(
  database: Database,
  fences: readonly number[],
  outboxRows: readonly store.OutboxRow[],
): Promise<boolean> {
  const split = outboxRows.flatMap(({ organizationId, id, events }) => {
    const byTopic = new Map(eventsByTopic(organizationId, events ?? []))
    const own = byTopic.get(organizationId) ?? null
    byTopic.delete(organizationId)
    if (byTopic.size === 0) return []
    const shared = Array.from(byTopic, ([topic, list]) => ({ topic, events: list }))
    return [{ organization_id: organizationId, id, own, shared }]
  })
  if (split.length === 0) return false
  const isHeld = await database.transactCrossTenant(async tx => {
    const [, leases] = await Promise.all([
      tx.rows(shareLeases, { fences }),
      tx.one(holdLeases, { fences }),
      tx.rows(store.splitRows, { fences, rows: JSON.stringify(split) }),
    ])
    return leases.count === fences.length
  })
  if (!isHeld) throw new LeaseLost()
  return true
}

/** As many rows, from the first on, as one transaction can fan out to their recipients; at least one. */
async function fitBatch(
  outboxRows: store.OutboxRow[],
  fanOut: FanOut | undefined,
): Promise<NumberedBatch & { waiting: store.OutboxRow[]; spread: FanOutWrite | undefined }> {
  const numbered = numberBatch(outboxRows)
  const fanOutWrite =
    numbered.forApplications.length > 0 ? await fanOut?.(numbered.forApplications) : undefined
  if (!fanOutWrite || fanOutWrite.rows <= maxFanOutRows || outboxRows.length === 1)
    return { ...numbered, waiting: outboxRows, spread: fanOutWrite }
  const share = Math.floor((outboxRows.length * maxFanOutRows) / fanOutWrite.rows)
  return fitBatch(outboxRows.slice(0, Math.min(outboxRows.length - 1, Math.max(1, share))), fanOut)
}

/**
 * A row that can never be written must not stop the others: the next batch is processed row by row, and the
 * failing row is quarantined. It stays in the outbox, with the time 'infinity', until an operator looks at
 * it.
 */
async function quarantineFailingRow(state: RelayState): Promise<void> {
  const { batchSize, database, leases, log } = state
  if (state.singleRowBatches === 0) {
    state.singleRowBatches = batchSize
    return
  }
  const held = leases.held()
  const [row] = held ? (await readWaiting(state, held, 1)).rows : []
  if (!row || !held) return
  await database.crossTenant.rows(store.quarantineRow, {
    fences: held.fences,
    organizationId: row.organizationId,
    id: row.id,
  })
  log.error({ organizationId: row.organizationId, outboxId: row.id }, 'an outbox row was quarantined')
}

/** True if the content of a row causes the error, not the database or the relay's position. */
function isDataError(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return error instanceof TypeError || code.startsWith('22') || code === '23502'
}
