import { updateLead } from '#contract/crm/leads.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { changedFields, changeLead } from './change.ts'
import { splitPermittedFields, withFields } from './fields.ts'
import { lockLead } from './lead.access.ts'
import { readableParts, showLead } from './lead.json.ts'
import { assertNotConverted, assertReachable, assertUnchangedSince } from './lead.rules.ts'
import { lockLeadReferences } from './lead.sql.ts'
import { notesReader } from './notes.ts'

/** Changes a lead with optimistic locking; notes and score only with their permission (LEAD-11 to LEAD-14). */
export const update = command(
  updateLead,
  async ({ tx, caller, params, query, body, audit, services, setHeader }) => {
    const { expectedUpdatedAt, ...input } = body
    if (Object.keys(input).length === 0) fail('NOTHING_TO_CHANGE')
    const { fields, ignoredFields } = splitPermittedFields(caller, input)
    if (Object.keys(fields).length === 0)
      fail(caller.applicationId === null ? 'PERMISSION_DENIED' : 'INSUFFICIENT_SCOPE')
    if (fields.email === null && fields.phone === null) assertReachable(fields)
    const { cipher } = services
    const { organizationId } = caller
    const [before, { phoneCountry }] = await tx.inOrder(
      () => lockLead(tx, params.id),
      () => lockLeadReferences(tx, fields),
    )
    assertNotConverted(before)
    assertUnchangedSince(before, expectedUpdatedAt)
    const after = withFields(before, fields, { cipher, organizationId, phoneCountry })
    assertReachable(after)
    const isChanged = changedFields(before, after).length > 0
    const done = isChanged ? await changeLead(tx, caller, { before, after, action: 'update' }) : undefined
    audit(before.id, done?.changed, done && { changeId: done.changeId })
    const lead = done?.lead ?? before
    const parts = readableParts({ caller, query, setHeader })
    return {
      lead: showLead(lead, parts, notesReader(cipher, organizationId)),
      changed: isChanged,
      recordedAt: lead.updated_at,
      ignoredFields,
    }
  },
)
