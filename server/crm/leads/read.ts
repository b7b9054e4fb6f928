import { readLead } from '#contract/crm/leads.ts'
import { query } from '#platform/http/operation.ts'
import { leadFor } from './lead.access.ts'
import { readableParts, showLead } from './lead.json.ts'
import { notesReader } from './notes.ts'

/** Reads a lead in any status (LEAD-42). */
export const read = query(readLead, async ({ db, caller, params, query, setHeader, services }) => {
  const parts = readableParts({ caller, query, setHeader })
  const lead = await leadFor(db, params.id)
  return showLead(lead, parts, notesReader(services.cipher, caller.organizationId))
})
