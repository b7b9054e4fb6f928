import { Readable } from 'node:stream'
import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import { exportLeads } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { byteOrderMark, csvLine } from '#platform/csv.ts'
import type { Db } from '#platform/data/db.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { stream } from '#platform/http/operation.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { type LeadParts, mayReadNotes, showLead } from '../lead.json.ts'
import type { LeadRow } from '../lead.row.ts'
import { countLeads } from '../list/lead-list.sql.ts'
import { notesReader } from '../notes.ts'
import { exportOnlyColumns, importColumns } from './columns.ts'
import { leadsAfter } from './lead-csv.sql.ts'

const operation = `GET ${pathAt('session', exportLeads)}`

/**
 * Streams all leads in the order of their ids, with backpressure. The audit log records the caller, the number of leads and
 * whether notes are included before the first lead is sent.
 */
export const exportCsv = stream(exportLeads, async ({ db, caller, origin, services, query, reply }) => {
  const { organizationId } = caller
  const status = leadStatuses.filter(one => query.status?.includes(one) ?? true)
  const parts = { scoring: true, notes: mayReadNotes(caller) }
  const detail = { status, notes: parts.notes, leads: await countLeads(db, status) }
  await services.database.transact(
    organizationId,
    async () => {},
    tx => recordOutbox(tx, caller, origin, operation, { subject: organizationId, detail }),
  )
  services.wakeUp?.changed()
  const lines = linesOf(db, new Set(status), parts, notesReader(services.cipher, organizationId))
  reply.type('text/csv; charset=utf-8').headers({
    'Content-Disposition': 'attachment; filename="leads.csv"',
    'Cache-Control': 'private, no-store',
  })
  return sendBytes(reply, Readable.from(lines))
})

async function* linesOf(
  db: Db,
  statuses: ReadonlySet<LeadStatus>,
  parts: LeadParts,
  notes: (lead: Pick<LeadRow, 'id' | 'notes'>) => string | null,
): AsyncGenerator<Buffer, void> {
  const columns = [...exportOnlyColumns, ...importColumns].filter(name => name !== 'notes' || parts.notes)
  yield Buffer.from(`${byteOrderMark}${csvLine(columns)}`)
  for (let after = '', isMore = true; isMore; ) {
    const page = await leadsAfter(db, after, limits.leadExportPage)
    const selected = page.filter(({ erased_at, status }) => erased_at === null && statuses.has(status))
    const shown = selected.map(lead => showLead(lead, parts, notes))
    if (shown.length > 0)
      yield Buffer.from(shown.map(lead => csvLine(columns.map(name => lead[name] ?? null))).join(''))
    isMore = page.length === limits.leadExportPage
    after = page.at(-1)?.id ?? ''
  }
}
