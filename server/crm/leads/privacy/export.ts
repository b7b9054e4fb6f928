import { exportPersonalData } from '#contract/crm/team.ts'
import { command } from '#platform/http/operation.ts'
import { leadFor } from '../lead.access.ts'
import { showLead } from '../lead.json.ts'
import { notesReader } from '../notes.ts'
import { personOf } from './lead-privacy.rules.ts'
import { readTraces } from './lead-privacy.sql.ts'

/** Exports the data of a person, including notes and accounts, whether or not the caller may read these otherwise. */
export const exportData = command(exportPersonalData, async ({ tx, caller, params, services, audit }) => {
  const lead = await leadFor(tx, params.id)
  audit(lead.id)
  const shown = showLead(
    lead,
    { scoring: true, notes: true },
    notesReader(services.cipher, caller.organizationId),
  )
  const person = personOf(lead, [])
  const { mandates = [] } = person ? await services.personalData.export(tx, services.cipher, person) : {}
  return { lead: shown, ...(await readTraces(tx, lead)), mandates: [...mandates] }
})
