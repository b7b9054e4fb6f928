import { eraseLead } from '#contract/crm/team.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { changeLead } from '../change.ts'
import { momentOfChange } from '../clock/lead-clock.sql.ts'
import { blankLead } from '../fields.ts'
import { lockLead } from '../lead.access.ts'
import type { LeadRow } from '../lead.row.ts'
import { personOf } from './lead-privacy.rules.ts'
import { eraseTraces } from './lead-privacy.sql.ts'

/** Erases the personal data of a lead in any status. A tombstone remains, so that GET /leads/sync can report it. */
export const erase = command(eraseLead, async ({ tx, caller, params, body, audit, services }) => {
  const before = await lockLead(tx, params.id)
  const { contactErased, addresses } = await eraseTraces(tx, before)
  const person = personOf(before, addresses)
  const { mandates = [] } = person ? await services.personalData.erase(tx, person) : {}
  const done = await changeLead(tx, caller, {
    before,
    after: tombstoneOf(before),
    action: 'erase',
    reason: body.reason,
  })
  if (contactErased && before.contact_id !== null)
    emit(tx, caller, 'contact.changed', { ids: [before.contact_id] })
  const mandateIds = mandates.filter(({ retainedBecause }) => retainedBecause === null).map(({ id }) => id)
  audit(before.id, done.changed, {
    changeId: done.changeId,
    contactErased,
    ...(mandateIds.length > 0 && { mandateIds }),
  })
  return { id: before.id, erasedAt: done.lead.updated_at, contactErased, mandates: [...mandates] }
})

/** The lead without personal data: status, times and references remain. */
function tombstoneOf(lead: LeadRow): LeadRow {
  const { id, status, lost_by, assignee_id, contact_id, client_id, opportunity_id } = lead
  const { qualified_at, lost_at, converted_at, created_at, updated_at } = lead
  return {
    ...blankLead(id),
    status,
    lost_by,
    assignee_id,
    contact_id,
    client_id,
    opportunity_id,
    qualified_at,
    lost_at,
    converted_at,
    created_at,
    updated_at,
    erased_at: momentOfChange,
  }
}
