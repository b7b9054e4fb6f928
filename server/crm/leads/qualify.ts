import { qualifyLead } from '#contract/crm/lead-moves.ts'
import { command } from '#platform/http/operation.ts'
import { changeLead } from './change.ts'
import { lockLead } from './lead.access.ts'
import { showLeadChange } from './lead.json.ts'
import { assertQualifiable, withStatus } from './lead.rules.ts'

/** Moves a lead from NEW to QUALIFIED (LEAD-20). */
export const qualify = command(qualifyLead, async ({ tx, caller, params, body, audit }) => {
  const before = await lockLead(tx, params.id)
  assertQualifiable(before)
  const after = withStatus(before, 'QUALIFIED')
  const done = await changeLead(tx, caller, { before, after, action: 'qualify', ...body })
  audit(before.id, done.changed, { changeId: done.changeId })
  return showLeadChange(done.lead, true)
})
