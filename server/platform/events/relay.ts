import { monotonicMs } from '../clock.ts'
import { columnsOf } from '../data/columns.ts'
import type { Database } from '../data/database.ts'
import type { CrossTenantTx } from '../data/db.ts'
import type { Log } from '../log.ts'
import { type NumberedBatch, type NumberedEvent, numberBatch } from './number-batch.ts'
import * as store from './relay.sql.ts'
import type { Signal } from './signal.ts'
import { openWakeUpSignal, type WakeUpSignal } from './wake-up-signal.ts'

export type Relay = {
  /** True while this process holds the lease, as far as it knows. */
  isHolder(): boolean
  close(): Promise<void>
}

/** Rows that are written in the transaction of a batch of events. */
export type FanOutWrite = {
  /** The number of rows. */
  rows: number
  /** Sends its statements at once. Each of them writes nothing with an outdated fence. */
  write(tx: CrossTenantTx, fence: number): Promise<unknown>
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
  fence: number | undefined
  renewAtMs: number
  /** Rows left to process one by one, after the database refused a batch. */
  singleRowBatches: number
  isClosing: boolean
}

class LeaseLost extends Error {}

const standbyMs = 1_000
const errorPauseMs = 250
const maxFanOutRows = 10_000

/**
 * Turns the outbox into numbered events and chained audit rows. Any number of processes may run it: one holds
 * the lease and works, the others wait. Each batch is one transaction, so nothing is lost or duplicated
 * wherever the process dies. A holder that was overtaken unnoticed writes nothing.
 */
export function openRelay(options: RelayOptions): Relay {
  const { batchSize = 500, leaseMs = 6_000, pollMs = 2_000 } = options
  const state: RelayState = {
    ...options,
    batchSize,
    leaseMs,
    pollMs,
    wakeUp: openWakeUpSignal(),
    fence: undefined,
    renewAtMs: 0,
    singleRowBatches: 0,
    isClosing: false,
    fanOut: options.fanOut,
  }
  void options.signal.onChanged(state.wakeUp.ring)
  options.signal.onReconnect(state.wakeUp.ring)
  const running = run(state)
  return {
    isHolder: () => state.fence !== undefined,
    async close() {
      state.isClosing = true
      state.wakeUp.stop()
      await running
    },
  }
}

async function run(state: RelayState): Promise<void> {
  const { wakeUp, database, log } = state
  while (!state.isClosing) {
    try {
      if (await ensureLease(state)) await processNext(state)
      // wake-ups are for the holder; the others only check whether the lease is free
      else await wakeUp.rest(standbyMs)
    } catch (error) {
      if (error instanceof LeaseLost) {
        log.warn({ fence: state.fence }, 'lost the relay lease to another process')
        state.fence = undefined
      } else {
        log.error({ err: error }, 'the relay failed')
        if (isDataError(error)) await quarantineFailingRow(state).catch(() => {})
      }
      if (!state.isClosing) await wakeUp.rest(errorPauseMs)
    }
  }
  if (state.fence !== undefined)
    await database.crossTenant.first(store.releaseLease, { fence: state.fence }).catch(() => {})
}

/** Acquires the lease, or renews it when it is time. */
async function ensureLease(state: RelayState): Promise<boolean> {
  const { database, leaseMs, log, signal } = state
  const at = monotonicMs()
  if (state.fence === undefined) {
    state.fence = (
      await database.crossTenant.first(store.acquireLease, { holder: signal.name, seconds: leaseMs / 1000 })
    )?.fence
    if (state.fence !== undefined) log.info({ fence: state.fence }, 'acquired the relay lease')
  } else if (at >= state.renewAtMs) {
    if (
      !(await database.crossTenant.first(store.renewLease, { fence: state.fence, seconds: leaseMs / 1000 }))
    )
      throw new LeaseLost()
  } else {
    return true
  }
  state.renewAtMs = at + leaseMs / 3
  return state.fence !== undefined
}

/** Processes one batch; sleeps if it was the last one. */
async function processNext(state: RelayState): Promise<void> {
  const limit = state.singleRowBatches > 0 ? 1 : state.batchSize
  const taken = await drainBatch(state, limit)
  state.singleRowBatches = Math.max(0, state.singleRowBatches - 1)
  if (taken < limit) await state.wakeUp.wait(Math.min(state.pollMs, state.leaseMs / 3))
}

/** Processes up to `limit` rows and returns how many there were. */
async function drainBatch({ database, fanOut, fence, signal }: RelayState, limit: number): Promise<number> {
  const heldFence = fence!
  const waitingRows = await database.crossTenant.rows(store.readOutbox, { limit })
  if (waitingRows.length === 0) return 0
  const { waiting: outboxRows, spread: fanOutWrite, ...numbered } = await fitBatch(waitingRows, fanOut)
  const { heads, events, audit } = numbered
  const isHeld = await database.transactCrossTenant(async tx => {
    // Sent together. If an earlier attempt with a lost reply still commits, its rows are gone, and this
    // attempt changes nothing
    const [lease, inserted] = await Promise.all([
      tx.first(store.holdLease, { fence: heldFence }),
      tx.first(store.insertBatch, store.batchArgs(heldFence, outboxRows, events)),
      audit.length > 0 && tx.rows(store.insertAudit, { fence: heldFence, rows: JSON.stringify(audit) }),
      tx.rows(store.setHeads, {
        fence: heldFence,
        ...columnsOf(heads, {
          organizationIds: 'organizationId',
          eventSeqs: 'eventSeq',
          auditSeqs: 'auditSeq',
          auditHashes: 'auditHash',
        }),
      }),
      fanOutWrite?.write(tx, heldFence),
    ])
    if (lease && inserted?.count !== outboxRows.length) throw new Error('Outbox rows were already processed')
    return lease !== undefined
  })
  if (!isHeld) throw new LeaseLost()
  fanOutWrite?.committed()
  if (events.length > 0) signal.announce(new Map(heads.map(head => [head.organizationId, head.eventSeq])))
  // the rows that did not fit are still there
  return outboxRows.length < waitingRows.length ? limit : waitingRows.length
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
  const { batchSize, database, fence, log } = state
  if (state.singleRowBatches === 0) {
    state.singleRowBatches = batchSize
    return
  }
  const [row] = await database.crossTenant.rows(store.readOutbox, { limit: 1 })
  if (!row || fence === undefined) return
  await database.crossTenant.rows(store.quarantineRow, {
    fence,
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
