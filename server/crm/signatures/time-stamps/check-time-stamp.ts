import type { SignatureTimeStamp } from '#contract/crm/time-stamps.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { evidenceHashOf } from '../evidence-of-row.ts'
import type { SignatureRow } from '../signature.row.ts'
import { chainRange } from '../signature.sql.ts'
import { type TimeStampRow, timeStampCovering } from './time-stamp.sql.ts'

/**
 * The first time stamp that covers a signature, or null. It is checked again each time: its own signature, and the evidence of
 * all signatures from this one to the stamped one (TSP-4).
 */
export async function checkedTimeStamp(
  db: Db,
  signature: Pick<SignatureRow, 'number'>,
): Promise<SignatureTimeStamp | null> {
  const row = await timeStampCovering(db, signature.number)
  if (!row) return null
  const isValid = (await leadsTo(db, signature.number, row)) && (await isAuthentic(row))
  return {
    status: isValid ? 'VALID' : 'INVALID',
    stampedAt: row.stamped_at,
    authority: row.authority,
    policy: row.policy,
    serialNumber: row.serial_number,
    number: row.number,
    evidenceHash: row.evidence_hash,
  }
}

/** Whether the evidence from a position on, computed again, ends with the evidence that was stamped. */
async function leadsTo(db: Db, from: number, { number, evidence_hash }: TimeStampRow): Promise<boolean> {
  const rows = await chainRange(db, from - 1, Math.min(number - from + 1, limits.signaturesPerTimeStamp))
  let previous = rows[0]?.previous_evidence_hash
  for (const [at, row] of rows.entries()) {
    if (row.number !== from + at || row.previous_evidence_hash !== previous) return false
    previous = evidenceHashOf(row)
  }
  return rows.length === number - from + 1 && previous === evidence_hash
}

/** Whether the stored reply is a time stamp over the evidence, with the stored facts. */
async function isAuthentic(row: TimeStampRow): Promise<boolean> {
  // the parser of certificates is loaded on first use
  const { checkTimeStamp, TimeStampProblem } = await import('#platform/security/time-stamp.ts')
  try {
    const actual = await checkTimeStamp(row.reply, Buffer.from(row.evidence_hash, 'hex'))
    return (
      actual.at === row.stamped_at &&
      actual.authority === row.authority &&
      actual.policy === row.policy &&
      actual.serialNumber === row.serial_number
    )
  } catch (error) {
    if (error instanceof TimeStampProblem) return false
    throw error
  }
}
