import { checkSignatureChain } from '#contract/crm/signatures.ts'
import type { Db } from '#platform/data/db.ts'
import { query } from '#platform/http/operation.ts'
import { evidenceHashOf } from './evidence-of-row.ts'
import { chainHead, chainRange } from './signature.sql.ts'

const batchSize = 1_000

type ChainVerdict = {
  holds: boolean
  count: number
  brokenAt: { number: number; signatureId: string | null } | null
}

export const checkChain = query(checkSignatureChain, ({ db }) => verifySignatureChain(db))

/** Computes the evidence hash of every signature of an organization again, in order, and compares it with the next row. */
export async function verifySignatureChain(db: Db): Promise<ChainVerdict> {
  // read first, so that concurrent signatures lie beyond the head
  const head = await chainHead(db)
  let last = { number: 0, hash: null as string | null }
  while (last.number < head.count) {
    const rows = await chainRange(db, last.number, Math.min(batchSize, head.count - last.number))
    for (const row of rows) {
      const isNext = row.number === last.number + 1 && row.previous_evidence_hash === last.hash
      if (!isNext || evidenceHashOf(row) !== row.evidence_hash) {
        const isGap = row.number !== last.number + 1
        return broken(head.count, last.number + 1, isGap ? null : row.id)
      }
      last = { number: row.number, hash: row.evidence_hash }
    }
    if (rows.length === 0) return broken(head.count, last.number + 1, null)
  }
  if (last.hash !== head.evidence_hash) return broken(head.count, head.count, null)
  if (head.last_number > head.count) return broken(head.count, head.count + 1, null)
  return { holds: true, count: head.count, brokenAt: null }
}

function broken(count: number, number: number, signatureId: string | null): ChainVerdict {
  return { holds: false, count, brokenAt: { number, signatureId } }
}
