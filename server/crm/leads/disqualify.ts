import { disqualifyLead } from '#contract/crm/lead-moves.ts'
import { command } from '#platform/http/operation.ts'
import { changeLead } from './change.ts'
import { lockLead } from './lead.access.ts'
import { showLeadChange } from './lead.json.ts'
import { assertDisqualifiable, withStatus } from './lead.rules.ts'

/** Moves a lead from any open status to LOST (LEAD-21, LEAD-22). */
export const disqualify = command(disqualifyLead, async ({ tx, caller, params, body, audit }) => {
  const before = await lockLead(tx, params.id)
  assertDisqualifiable(before)
  const after = withStatus(before, 'LOST', 'DISQUALIFY')
  const done = await changeLead(tx, caller, { before, after, action: 'disqualify', ...body })
  audit(before.id, done.changed, { changeId: done.changeId })
  return showLeadChange(done.lead, true)
})
