import { readLead } from '#contract/crm/leads.ts'
import { reads } from '#platform/serve.ts'
import { leadFor } from './access.ts'
import { notesOf } from './notes.ts'
import { partsOf, showLead } from './show.ts'

/** Document 3, GET /leads/:id: also one that is lost or converted. */
export const read = reads(readLead, async ({ db, caller, params, query, heading, world }) => {
  const parts = partsOf({ caller, query, heading })
  const lead = await leadFor(db, params.id)
  return showLead(lead, parts, notesOf(world.cipher, caller.organizationId))
})
