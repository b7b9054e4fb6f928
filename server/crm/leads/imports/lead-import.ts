import * as contract from '#contract/crm/lead-imports.ts'
import { pathAt } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import type { ImportKind } from '../../imports/import-kind.ts'
import { ImportStore } from '../../imports/import-store.sql.ts'
import { phoneCountryOf } from '../../settings/crm-settings.sql.ts'
import { changeLeads } from '../change.ts'
import { leadColumnNames, parseLead } from '../csv/columns.ts'
import { blankLead, type LeadInput, withFields } from '../fields.ts'
import { mayReadNotes } from '../lead.json.ts'
import type { LeadRow } from '../lead.row.ts'
import { countDuplicates } from './import-duplicates.sql.ts'

/** Imports of leads. Duplicates are reported and imported, because several people share an address or a telephone. */
export const leadImport: ImportKind<LeadRow> = {
  noun: 'leads',
  operation: `POST ${pathAt('session', contract.importLeads)}`,
  movedEvent: 'lead-import.moved',
  errors: {
    notFound: 'LEAD_IMPORT_NOT_FOUND',
    running: 'LEAD_IMPORT_RUNNING',
    ended: 'LEAD_IMPORT_ENDED',
  },
  purpose: 'crm lead import',
  store: new ImportStore('lead_import'),
  columnNames: leadColumnNames,
  isForbidden: (caller, field) => field === 'notes' && !mayReadNotes(caller),
  parseLine: parseLead,
  async itemMaker({ database, cipher }, organizationId) {
    const phoneCountry = await phoneCountryOf(database.of(organizationId))
    const context = { cipher, organizationId, phoneCountry }
    return input => withFields(blankLead(newId()), input as LeadInput, context)
  },
  keysOf: ({ email_hash, phone_e164 }) => [email_hash, phone_e164].filter(key => key !== null),
  countStored: countDuplicates,
  duplicateError: undefined,
  create: (tx, importer, leads) =>
    changeLeads(
      tx,
      importer,
      leads.map(after => ({ before: null, after, action: 'import' })),
    ),
}
