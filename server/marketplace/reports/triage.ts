import { listEntryReports, settleEntryReport } from '#contract/marketplace/review-queue.ts'
import { fail } from '#platform/fail.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { transactAcross } from '#server/identity/index.ts'
import { showReport } from './report.json.ts'
import { decideReport, pageOfReports } from './report.sql.ts'

/** Lists reports without their senders. */
export const list = query(listEntryReports, async ({ query, services: { database } }) => {
  const { limit, offset } = pageOf(query)
  const { status = 'OPEN', entryId = null } = query
  const { rows, total } = await pageOfReports(database.crossTenant, { status, entryId }, { limit, offset })
  return { items: rows.map(showReport), total, limit, offset }
})

/** Decides a report. Audited in the operator's organization, so that no other organization learns of it. */
export const settle = workflow(settleEntryReport, ({ caller, origin, params, body, services }) =>
  transactAcross({ caller, origin, services }, 'operator', settleEntryReport, async (crossTenant, record) => {
    const { reportId } = params
    const note = body.note?.trim() || null
    const { row, isNew } =
      (await decideReport(crossTenant, reportId, body.status, note, caller.personId)) ??
      fail('REPORT_NOT_FOUND')
    if (!isNew) fail('REPORT_SETTLED')
    await record(crossTenant.of(caller.organizationId), { subject: reportId, changed: ['status'] })
    return showReport(row)
  }),
)
