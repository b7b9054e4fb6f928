import { Readable } from 'node:stream'
import type { LeadStatus } from '#contract/crm/shapes.ts'
import { exportLeads } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/db/database.ts'
import { sendBytes } from '#platform/send.ts'
import { streams } from '#platform/serve.ts'
import { notesOf } from '../notes.ts'
import type { LeadRow } from '../row.ts'
import { mayReadNotes, type Parts, showLead } from '../show.ts'
import { lineOf, readColumns, writtenColumns } from './columns.ts'
import { leadsAfter } from './store.ts'

/** All leads in the order of their ids, page by page, as fast as they are taken. */
export const exportCsv = streams(exportLeads, ({ db, caller, world, query, reply }) => {
  const parts = { scoring: true, notes: mayReadNotes(caller) }
  const notes = notesOf(world.cipher, caller.organizationId)
  const lines = linesOf(db, new Set(query.status), parts, notes)
  reply.type('text/csv; charset=utf-8').headers({
    'Content-Disposition': 'attachment; filename="leads.csv"',
    'Cache-Control': 'private, no-store',
  })
  return sendBytes(reply, Readable.from(lines))
})

async function* linesOf(
  db: Db,
  statuses: ReadonlySet<LeadStatus>,
  parts: Parts,
  notes: (lead: Pick<LeadRow, 'id' | 'notes'>) => string | null,
): AsyncGenerator<Buffer, void> {
  const columns = [...writtenColumns, ...readColumns].filter(name => name !== 'notes' || parts.notes)
  // by the mark spreadsheets know that it is UTF-8
  yield Buffer.from(`\ufeff${lineOf(columns)}`)
  for (let after = '', isMore = true; isMore; ) {
    const page = await leadsAfter(db, after, limits.leadExportPage)
    const told = page.filter(
      ({ erased_at, status }) => erased_at === null && (statuses.size === 0 || statuses.has(status)),
    )
    const shown = told.map(lead => showLead(lead, parts, notes))
    if (shown.length > 0)
      yield Buffer.from(shown.map(lead => lineOf(columns.map(name => lead[name] ?? null))).join(''))
    isMore = page.length === limits.leadExportPage
    after = page.at(-1)?.id ?? ''
  }
}
