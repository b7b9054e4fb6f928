import { reportEntry } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { entryFor } from '../entries/entry.access.ts'
import { openReport } from './report.sql.ts'

/**
 * Reports an entry. The submitter is not notified, and nobody learns the sender of the report (RPT-4).
 */
export const report = command(reportEntry, async ({ tx, caller, params: { id }, body, audit }) => {
  const { reason } = body
  const entry = await entryFor(tx, caller, id)
  if (entry.isOwn) fail('ENTRY_OWN')
  if (!entry.isListed) fail('ENTRY_NOT_APPROVED')
  const { row, isNew } = await openReport(tx, { entryId: id, personId: caller.personId, reason })
  if (!isNew) tx.pending.uncounted = true
  audit(id, isNew ? ['reports'] : [])
  return { id: row.id, entryId: row.entry_id, status: row.status, createdAt: row.created_at }
})
