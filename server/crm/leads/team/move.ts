import { moveLead } from '#contract/crm/team.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { changeLead } from '../change.ts'
import { lockLead } from '../lead.access.ts'
import { showLeadChange } from '../lead.json.ts'
import { assertNotConverted, assertUnchangedSince, mayMove, withStatus } from '../lead.rules.ts'

/** Status changes by the team; only they set CONTACTED and NEGOTIATING (LEAD-23, LEAD-25). */
export const move = command(moveLead, async ({ tx, caller, params, body, audit }) => {
  const { status, reason, expectedUpdatedAt } = body
  const before = await lockLead(tx, params.id)
  assertNotConverted(before)
  if (!mayMove(before.status, status)) fail('LEAD_MOVE_NOT_ALLOWED')
  assertUnchangedSince(before, expectedUpdatedAt)
  const after = withStatus(before, status, 'TEAM')
  const done = await changeLead(tx, caller, { before, after, action: 'move', reason })
  audit(before.id, done.changed, { changeId: done.changeId })
  return showLeadChange(done.lead, true)
})
