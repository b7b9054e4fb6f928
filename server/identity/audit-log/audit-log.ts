import { listAudit, verifyAudit } from '#contract/identity/audit-log.ts'
import type { Db } from '#platform/data/db.ts'
import { type ChainPosition, chainStart, verifyChain } from '#platform/events/chain.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { lastOf } from '#platform/required.ts'
import { chainHead, chainPage, listedAudit } from './audit-log.sql.ts'

const pageRows = 2_000

export const list = query(listAudit, async ({ db, query }) => {
  const { limit } = pageOf(query)
  const { before = Number.MAX_SAFE_INTEGER, from = null, to = null } = query
  const { actorId = null, subject = null, operation = null } = query
  // an extra row shows whether there is a next page
  const args = { actorId, subject, operation, before, from, to, limit: limit + 1 }
  const rows = await db.rows(listedAudit(args), args)
  const items = rows.slice(0, limit)
  return { items, nextBefore: rows.length > limit ? lastOf(items).seq : null }
})

export const verify = query(verifyAudit, ({ db }) => verifyAuditChain(db))

/** Computes the hash of every audit entry of an organization again. */
export async function verifyAuditChain(
  db: Db,
): Promise<{ valid: boolean; checked: number; brokenAt: number | null }> {
  // read first, so that later entries are left for the next call
  const head = (await db.first(chainHead)) ?? chainStart
  let end: ChainPosition = chainStart
  let checked = 0
  for (;;) {
    const entries = await db.rows(chainPage, { after: end.seq, upTo: head.seq, limit: pageRows })
    checked += entries.length
    const isLast = entries.length < pageRows
    const rows = entries.map(entry => ({ ...entry, organizationId: db.organizationId }))
    const verdict = verifyChain(rows, end, isLast ? head : undefined)
    if (!verdict.isWhole) return { valid: false, checked, brokenAt: verdict.seq }
    if (isLast) return { valid: true, checked, brokenAt: null }
    end = verdict.end
  }
}
