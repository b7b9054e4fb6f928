import { changeLeads as changeLeadsOfTeam } from '#contract/crm/team.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lookUp } from '#platform/required.ts'
import { changedFields, changeLeads } from '../change.ts'
import { lockLeads } from '../lead.access.ts'
import type { LeadRow } from '../lead.row.ts'
import { mayMove, withStatus } from '../lead.rules.ts'
import { lockLeadReferences } from '../lead.sql.ts'

type BulkEdit = Pick<Input<typeof changeLeadsOfTeam>['body'], 'status' | 'stage' | 'assigneeId'>

/** Changes several leads at one moment. Leads that cannot change are reported and do not affect the others. */
export const bulk = command(changeLeadsOfTeam, async ({ tx, caller, body, audit }) => {
  const { ids, reason, status, stage, assigneeId } = body
  if (status === undefined && stage === undefined && assigneeId === undefined) fail('NOTHING_TO_CHANGE')
  const [locked] = await tx.inOrder(
    () => lockLeads(tx, ids),
    () => lockLeadReferences(tx, { assigneeId }),
  )
  const results = new Map(locked.map(lead => [lead.id, applyEdit(lead, { status, stage, assigneeId })]))
  const changes = locked.flatMap(before => {
    const { after } = lookUp(results, before.id)
    return after ? [{ before, after, action: 'bulk', reason }] : []
  })
  const done = await changeLeads(tx, caller, changes)
  const changeIds = new Map(done.map(({ lead, changeId }) => [lead.id, changeId]))
  if (done.length > 0)
    audit(caller.organizationId, [...new Set(done.flatMap(({ changed }) => changed))], {
      changes: Object.fromEntries(changeIds),
    })
  const items = ids.map(id => ({
    id,
    changed: changeIds.has(id),
    errorCode: (results.get(id) ?? { refusal: 'LEAD_NOT_FOUND' }).refusal ?? null,
  }))
  return { items, changed: done.length, recordedAt: done[0]?.lead.updated_at ?? null }
})

/** The changed lead, or the reason why it cannot change; empty if it already has the values. */
function applyEdit(
  lead: LeadRow,
  { status, stage, assigneeId }: BulkEdit,
): { after?: LeadRow; refusal?: ErrorCode } {
  if (lead.status === 'WON') return { refusal: 'LEAD_ALREADY_CONVERTED' }
  const isMoved = status !== undefined && status !== lead.status
  if (isMoved && !mayMove(lead.status, status)) return { refusal: 'LEAD_MOVE_NOT_ALLOWED' }
  const moved = isMoved ? withStatus(lead, status, 'TEAM') : lead
  const after = {
    ...moved,
    stage: stage === undefined ? lead.stage : (stage?.trim() ?? null),
    assignee_id: assigneeId === undefined ? lead.assignee_id : assigneeId,
  }
  return changedFields(lead, after).length > 0 ? { after } : {}
}
