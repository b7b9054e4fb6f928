import { monotonicMs } from '../clock.ts'
import type { Database, WideTx } from '../data/database.ts'
import type { Log } from '../log.ts'
import { deleteExpiredChunk } from './housekeeping.ts'
import { type NumberedBatch, type NumberedEvent, numberBatch } from './number-batch.ts'
import * as store from './relay.sql.ts'
import type { Signal } from './signal.ts'
import { openWakeUpSignal, type WakeUpSignal } from './wake-up-signal.ts'

export type Relay = {
  /** True while this process holds the lease, as far as it knows. */
  isHolder(): boolean
  close(): Promise<void>
}

/** What is written beside a batch of events, in its transaction. */
export type FanOutWrite = {
  /** How many rows that is. */
  rows: number
  /** Sends its statements at once, each of which writes nothing for a fence that was passed. */
  write(tx: WideTx, fence: number): Promise<unknown>
  /** The batch is committed. Must not throw. */
  committed(): void
}
/** Looks who is told of events; undefined: nobody. Asked before the transaction of the batch begins. */
export type FanOut = (events: readonly NumberedEvent[]) => Promise<FanOutWrite | undefined>

export type RelayOptions = {
  database: Database
  signal: Signal
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Outbox rows in one transaction. */
  batch?: number
  leaseMs?: number
  /** How long a lost hint may delay an event. */
  pollMs?: number
  /** Rest between two rounds of housekeeping. */
  tidyMs?: number
  fanOut?: FanOut
}

type Inside = Required<Omit<RelayOptions, 'fanOut'>> & {
  fanOut: FanOut | undefined
  bell: WakeUpSignal
  fence: number | undefined
  renewAtMs: number
  tidyAtMs: number
  /** Rows still to be taken one by one, after a batch that the database refused. */
  careful: number
  isClosing: boolean
}

class LeaseLost extends Error {}

const standbyMs = 1_000
const troubleMs = 250
const mostSpread = 10_000

/**
 * Empties the outbox into numbered events and chained audit rows. Any number of processes may run it: one
 * holds the lease and works, the others wait. Each batch is one transaction, so that nothing is lost or
 * doubled wherever the process dies; a holder that was overtaken without noticing writes nothing.
 */
export function openRelay(options: RelayOptions): Relay {
  const { batch = 500, leaseMs = 6_000, pollMs = 2_000, tidyMs = 60_000 } = options
  const inside: Inside = {
    ...options,
    batch,
    leaseMs,
    pollMs,
    tidyMs,
    bell: openWakeUpSignal(),
    fence: undefined,
    renewAtMs: 0,
    tidyAtMs: monotonicMs() + tidyMs / 6,
    careful: 0,
    isClosing: false,
    fanOut: options.fanOut,
  }
  void options.signal.onChanged(inside.bell.ring)
  options.signal.onReconnect(inside.bell.ring)
  const running = run(inside)
  return {
    isHolder: () => inside.fence !== undefined,
    async close() {
      inside.isClosing = true
      inside.bell.stop()
      await running
    },
  }
}

async function run(inside: Inside): Promise<void> {
  const { bell, database, log } = inside
  while (!inside.isClosing) {
    try {
      if (await hold(inside)) await work(inside)
      // hints are for the holder; who waits only looks whether the lease is free
      else await bell.rest(standbyMs)
    } catch (error) {
      if (error instanceof LeaseLost) {
        log.warn({ fence: inside.fence }, 'another process is the relay now')
        inside.fence = undefined
      } else {
        log.error({ err: error }, 'the relay could not work')
        if (isAboutData(error)) await passOver(inside).catch(() => {})
      }
      if (!inside.isClosing) await bell.rest(troubleMs)
    }
  }
  if (inside.fence !== undefined) await database.wide.first(store.releaseLease, inside.fence).catch(() => {})
}

/** Takes or renews the lease when it is time. */
async function hold(inside: Inside): Promise<boolean> {
  const { database, leaseMs, log, signal } = inside
  const at = monotonicMs()
  if (inside.fence === undefined) {
    inside.fence = (await database.wide.first(store.acquireLease, signal.name, leaseMs / 1000))?.fence
    if (inside.fence !== undefined) log.info({ fence: inside.fence }, 'this process is the relay now')
  } else if (at >= inside.renewAtMs) {
    if (!(await database.wide.first(store.renewLease, inside.fence, leaseMs / 1000))) throw new LeaseLost()
  } else {
    return true
  }
  inside.renewAtMs = at + leaseMs / 3
  return inside.fence !== undefined
}

/** One batch; when there is no more, some housekeeping or sleep. */
async function work(inside: Inside): Promise<void> {
  const limit = inside.careful > 0 ? 1 : inside.batch
  const taken = await drainBatch(inside, limit)
  inside.careful = Math.max(0, inside.careful - 1)
  if (taken === limit) return
  const idleMs = inside.tidyAtMs - monotonicMs()
  if (idleMs > 0) await inside.bell.wait(Math.min(idleMs, inside.pollMs, inside.leaseMs / 3))
  else if (!(await deleteExpiredChunk(inside.database, inside.fence!)))
    inside.tidyAtMs = monotonicMs() + inside.tidyMs
}

/** Moves up to `limit` rows and tells how many there were. */
async function drainBatch({ database, fanOut, fence, signal }: Inside, limit: number): Promise<number> {
  const held = fence!
  const read = await database.wide.rows(store.readWaiting, limit)
  if (read.length === 0) return 0
  const { waiting, spread, ...numbered } = await fitting(read, fanOut)
  const { heads, events, audit } = numbered
  const isHeld = await database.transactWide(async tx => {
    // Sent together, without waiting for each other. Should an earlier attempt whose answer was lost still
    // commit, its rows are gone and this one changes nothing
    const [lease, took] = await Promise.all([
      tx.first(store.holdLease, held),
      tx.first(store.insertBatch, ...store.batchArgs(held, waiting, events)),
      audit.length > 0 && tx.rows(store.insertAudit, held, JSON.stringify(audit)),
      tx.rows(store.setHeads, held, ...columns(heads, 'organizationId', 'eventSeq', 'auditSeq', 'auditHash')),
      spread?.write(tx, held),
    ])
    if (lease && took?.taken !== waiting.length) throw new Error('Rows of the outbox were taken before')
    return lease !== undefined
  })
  if (!isHeld) throw new LeaseLost()
  spread?.committed()
  if (events.length > 0) signal.announce(new Map(heads.map(head => [head.organizationId, head.eventSeq])))
  // what did not fit is still there
  return waiting.length < read.length ? limit : read.length
}

/** As many of the rows, from the first on, as one transaction can tell to all who are told of them; one at least. */
async function fitting(
  waiting: store.OutboxRow[],
  fanOut: FanOut | undefined,
): Promise<NumberedBatch & { waiting: store.OutboxRow[]; spread: FanOutWrite | undefined }> {
  const numbered = numberBatch(waiting)
  const spread = numbered.forApplications.length > 0 ? await fanOut?.(numbered.forApplications) : undefined
  if (!spread || spread.rows <= mostSpread || waiting.length === 1) return { ...numbered, waiting, spread }
  const share = Math.floor((waiting.length * mostSpread) / spread.rows)
  return fitting(waiting.slice(0, Math.min(waiting.length - 1, Math.max(1, share))), fanOut)
}

/** Fields of rows as the arrays that `unnest` takes. */
function columns<Row, Keys extends (keyof Row)[]>(
  rows: Row[],
  ...keys: Keys
): { [At in keyof Keys]: Row[Keys[At]][] } {
  return keys.map(key => rows.map(row => row[key])) as { [At in keyof Keys]: Row[Keys[At]][] }
}

/**
 * One row that can never be written must not stop all the others: the next batch is taken row by row, and the
 * row that fails alone is put aside. It stays in the outbox, with the time 'infinity', for a person to look at.
 */
async function passOver(inside: Inside): Promise<void> {
  const { batch, database, fence, log } = inside
  if (inside.careful === 0) {
    inside.careful = batch
    return
  }
  const [row] = await database.wide.rows(store.readWaiting, 1)
  if (!row || fence === undefined) return
  await database.wide.rows(store.quarantineRow, fence, row.organizationId, row.id)
  log.error({ organizationId: row.organizationId, outboxId: row.id }, 'an outbox row was put aside')
}

/** True when the content of a row is at fault, not the database or the relay's place. */
function isAboutData(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return error instanceof TypeError || code.startsWith('22') || code === '23502'
}
