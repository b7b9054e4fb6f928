import type { TimeStampStatus } from '#contract/crm/time-stamps.ts'
import { limits } from '#contract/limits.ts'
import type { TimeStamps } from '#platform/adapters/time-stamps.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import type { Services } from '#platform/services.ts'
import { chainRange } from '../signature.sql.ts'
import {
  budgetsBetween,
  type ClaimedChain,
  claimChain,
  insertTimeStamp,
  setStampFailed,
} from './time-stamp.sql.ts'

/** The services that stamping chains needs. */
export type TimeStampServices = Pick<Services, 'database' | 'wakeUp'> & { timeStamps: TimeStamps }

/** A position of the chain has no signature: somebody deleted it. */
class ChainBroken extends Error {
  readonly kind = 'CHAIN_BROKEN'
}

/**
 * Obtains a time stamp for the chain of signatures that has waited longest, and stores it (TSP-2). Returns false if there was
 * nothing to do. Records a failure for the organization and throws it; the chain is tried again after a pause.
 */
export async function stampNextChain(services: TimeStampServices): Promise<boolean> {
  const claimed = await claimChain(services.database)
  if (!claimed) return false
  try {
    await stamp(services, claimed)
  } catch (error) {
    const problem = problemOf(error)
    if (problem) await services.database.transact(claimed.organization_id, tx => setStampFailed(tx, problem))
    throw error
  }
  return true
}

async function stamp(
  { database, timeStamps, wakeUp }: TimeStampServices,
  { organization_id, number }: ClaimedChain,
): Promise<void> {
  const db = database.of(organization_id)
  const [signature] = await chainRange(db, number - 1, 1)
  if (signature?.number !== number) throw new ChainBroken(`The chain has no signature at position ${number}`)
  const { evidence_hash } = signature
  const { at, authority, policy, serialNumber, reply } = await timeStamps.stamp(
    Buffer.from(evidence_hash, 'hex'),
  )
  await database.transact(
    organization_id,
    async tx => {
      await insertTimeStamp(tx, {
        number,
        evidence_hash,
        stamped_at: at,
        authority,
        policy,
        serial_number: serialNumber,
        reply,
      })
      const after = number - limits.signaturesPerTimeStamp
      const ids = await budgetsBetween(tx, after, number, limits.idsPerFrame)
      emit(tx, { personId: '' }, 'budget.changed', { ids })
    },
    recordEvents,
  )
  wakeUp?.changed()
}

function problemOf(error: unknown): TimeStampStatus['problem'] {
  const kind = error instanceof Error && 'kind' in error ? error.kind : null
  return problems.find(problem => problem === kind) ?? null
}
const problems = ['NOT_REACHED', 'REFUSED', 'INVALID', 'CHAIN_BROKEN'] as const
