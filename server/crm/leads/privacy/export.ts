import { exportPersonalData } from '#contract/crm/team.ts'
import { changes } from '#platform/http/operation.ts'
import { leadFor } from '../lead.access.ts'
import { showLead } from '../lead.json.ts'
import { notesOf } from '../notes.ts'
import { readTraces } from './lead-privacy.sql.ts'

/** Hands out what is kept of a person, notes included whoever may read them otherwise, and records that. */
export const exportData = changes(exportPersonalData, async ({ tx, caller, params, world, audits }) => {
  const lead = await leadFor(tx, params.id)
  audits(lead.id)
  const shown = showLead(lead, { scoring: true, notes: true }, notesOf(world.cipher, caller.organizationId))
  return { lead: shown, ...(await readTraces(tx, lead)) }
})
