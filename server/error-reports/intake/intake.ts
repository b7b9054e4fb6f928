import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import { isUnavailable } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import type { Services } from '#platform/http/operation.ts'
import { openSecretNames, type SecretNames } from '../secret-names/secret-name-cache.ts'
import { type Allowance, openAllowance } from './allowance.ts'
import type { Report } from './report-bundle.ts'
import { type Dropped, openDropped } from './dropped-counter.ts'
import { type Recorded, writeReports } from './flush.ts'
import { openKnownGroups } from './group-cache.ts'

/** Where the reports of a process come together. */
export type Intake = {
  readonly allowance: Allowance
  readonly dropped: Dropped
  readonly secretNames: SecretNames
  /** Resolves when the report is committed. Refuses UNAVAILABLE when too many wait. */
  record(organizationId: string, report: Report): Promise<Recorded>
}

type Waiting = { report: Report; resolve(recorded: Recorded): void; reject(error: unknown): void }

/** Flushes of different organizations that are under way at a time: one cannot hold up the others. */
const lanes = 3
/** Reports of one transaction, so that none takes long. */
const mostAtOnce = 2_000

/** Between two flushes of an organization when more than one report came at a time, and few of the next are there. */
const restMs = 4
/** They are not few when there are so many for each that was written: while these are written, others arrive. */
const enough = 1 / 8

const intakes = new WeakMap<Database, Intake>()

/** The intake of this process. */
export function intakeOf(services: Services): Intake {
  const there = intakes.get(services.database)
  if (there) return there
  const made = openIntake(services)
  intakes.set(services.database, made)
  return made
}

/**
 * Group commit: of each organization one flush is under way, and what arrives meanwhile goes with the next one. Under
 * load the flushes grow instead of becoming more; a report is answered when its flush is committed.
 */
function openIntake(services: Services): Intake {
  const { database, log } = services
  const known = openKnownGroups()
  const queues = new Map<string, Waiting[]>()
  const ready: string[] = []
  const busy = new Set<string>()
  const resting = new Set<string>()
  let waiting = 0

  function next(): void {
    while (busy.size < lanes) {
      const organizationId = ready.shift()
      if (organizationId === undefined) return
      busy.add(organizationId)
      void flush(organizationId).then(size => {
        busy.delete(organizationId)
        const arrived = queues.get(organizationId)?.length ?? 0
        if (size > 1 && arrived < size * enough) rest(organizationId)
        else if (arrived > 0) ready.push(organizationId)
        next()
      })
    }
  }

  /** Those who were just answered have more to say: a flush that waits for them has more to add up. */
  function rest(organizationId: string): void {
    resting.add(organizationId)
    setTimeout(() => {
      resting.delete(organizationId)
      if (queues.has(organizationId)) ready.push(organizationId)
      next()
    }, restMs)
  }

  async function flush(organizationId: string): Promise<number> {
    const queue = queues.get(organizationId)!
    const batch = queue.splice(0, mostAtOnce)
    if (queue.length === 0) queues.delete(organizationId)
    await write(organizationId, batch)
    waiting -= batch.length
    return batch.length
  }

  async function write(organizationId: string, batch: Waiting[]): Promise<void> {
    try {
      const recorded = await writeReports(
        services,
        organizationId,
        batch.map(({ report }) => report),
        known,
      )
      for (const [at, { resolve }] of batch.entries()) resolve(recorded[at]!)
    } catch (error) {
      // one that cannot be written must not take the others with it
      if (batch.length > 1 && !isUnavailable(error)) {
        log?.error({ err: error, organizationId, reports: batch.length }, 'reports are written one by one')
        for (const one of batch) await write(organizationId, [one])
      } else for (const { reject } of batch) reject(error)
    }
  }

  return {
    allowance: openAllowance(database, services.errorReportLimit ?? defaultLimit),
    dropped: openDropped(database, log),
    secretNames: openSecretNames(database),
    record(organizationId, report) {
      if (waiting >= limits.errorReportsWaiting) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
      waiting++
      return new Promise((resolve, reject) => {
        const queue = queues.get(organizationId)
        if (queue) queue.push({ report, resolve, reject })
        else {
          queues.set(organizationId, [{ report, resolve, reject }])
          if (!busy.has(organizationId) && !resting.has(organizationId)) ready.push(organizationId)
          next()
        }
      })
    },
  }
}

const defaultLimit = { perHour: limits.errorReportsPerHour, burst: limits.errorReportsBurst }
