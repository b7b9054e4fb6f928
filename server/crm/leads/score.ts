import { scoreLead } from '#contract/crm/lead-moves.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { changedFields, changeLead } from './change.ts'
import { lockLead } from './lead.access.ts'
import { showLeadChange } from './lead.json.ts'
import { assertNotConverted, assertUnchangedSince } from './lead.rules.ts'

/** Updates score and temperature (LEAD-15). */
export const score = command(scoreLead, async ({ tx, caller, params, body, audit }) => {
  if (body.score === undefined && body.temperature === undefined) fail('NOTHING_TO_CHANGE')
  const before = await lockLead(tx, params.id)
  assertNotConverted(before)
  assertUnchangedSince(before, body.expectedUpdatedAt)
  const { score = before.score, temperature = before.temperature, reason } = body
  const after = { ...before, score, temperature }
  audit(before.id)
  if (changedFields(before, after).length === 0) return showLeadChange(before, false, true)
  const done = await changeLead(tx, caller, { before, after, action: 'score', reason })
  audit(before.id, done.changed, { changeId: done.changeId })
  return showLeadChange(done.lead, true, true)
})
