import { createLead } from '#contract/crm/leads.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { changeLead } from './change.ts'
import { blankLead, splitPermittedFields, withFields } from './fields.ts'
import { readableParts, showLead } from './lead.json.ts'
import { assertReachable } from './lead.rules.ts'
import { lockLeadReferences } from './lead.sql.ts'
import { duplicatesOf } from './lead-duplicates.sql.ts'
import { notesReader } from './notes.ts'

/** Creates a lead with an e-mail or telephone (LEAD-5). Duplicates are listed and do not prevent it (LEAD-9). */
export const create = command(createLead, async ({ tx, caller, query, body, audit, services, setHeader }) => {
  const { fields, ignoredFields } = splitPermittedFields(caller, body)
  assertReachable(fields)
  const { cipher } = services
  const { organizationId } = caller
  const { phoneCountry } = await lockLeadReferences(tx, fields)
  const after = withFields(blankLead(newId()), fields, { cipher, organizationId, phoneCountry })
  // both travel together; the look-up is first because the write waits for the clock
  const [duplicates, done] = await Promise.all([
    duplicatesOf(tx, cipher, after),
    changeLead(tx, caller, { before: null, after, action: 'create' }),
  ])
  audit(after.id, done.changed, { changeId: done.changeId })
  const parts = readableParts({ caller, query, setHeader })
  return {
    lead: showLead(done.lead, parts, notesReader(cipher, organizationId)),
    changed: true,
    recordedAt: done.lead.updated_at,
    duplicates,
    ignoredFields,
  }
})
