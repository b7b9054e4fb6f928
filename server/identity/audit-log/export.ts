import { Readable } from 'node:stream'
import { type AuditEntry, exportAudit } from '#contract/identity/audit-log.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { byteOrderMark, csvLine } from '#platform/csv.ts'
import type { Db } from '#platform/data/db.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { stream } from '#platform/http/operation.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { lastOf } from '#platform/required.ts'
import { listedAudit } from './audit-log.sql.ts'

const operation = `GET ${pathAt('session', exportAudit)}`
const pageRows = 1_000
const columns = [
  'seq',
  'at',
  'actorId',
  'actorName',
  'auth',
  'ip',
  'client',
  'requestId',
  'operation',
  'subject',
  'changed',
  'detail',
  'hash',
] as const

type Filters = {
  actorId?: string
  subject?: string
  operation?: string
  from?: string
  to?: string
}

/** Streams the entries page by page, no faster than the client reads. The export itself is recorded first (AUD-10). */
export const exportCsv = stream(exportAudit, async ({ db, caller, origin, services, query, reply }) => {
  const { organizationId } = caller
  await services.database.transact(
    organizationId,
    async () => {},
    tx => recordOutbox(tx, caller, origin, operation, { subject: organizationId, detail: query }),
  )
  services.wakeUp?.changed()
  reply.type('text/csv; charset=utf-8').headers({
    'Content-Disposition': 'attachment; filename="audit-log.csv"',
    'Cache-Control': 'private, no-store',
  })
  return sendBytes(reply, Readable.from(linesOf(db, query)))
})

async function* linesOf(db: Db, query: Filters): AsyncGenerator<Buffer, void> {
  const { actorId = null, subject = null, operation = null, from = null, to = null } = query
  yield Buffer.from(`${byteOrderMark}${csvLine(columns)}`)
  let before = Number.MAX_SAFE_INTEGER
  for (let left: number = limits.auditExportRows; left > 0; ) {
    const most = Math.min(pageRows, left)
    const args = { actorId, subject, operation, before, from, to, limit: most }
    const rows = await db.rows(listedAudit(args), args)
    if (rows.length > 0) yield Buffer.from(rows.map(lineOf).join(''))
    if (rows.length < most) return
    left -= rows.length
    before = lastOf(rows).seq
  }
}

function lineOf(row: AuditEntry): string {
  const entry = {
    ...row,
    changed: row.changed.join(' '),
    detail: row.detail === null ? null : JSON.stringify(row.detail),
  }
  return csvLine(columns.map(name => entry[name]))
}
