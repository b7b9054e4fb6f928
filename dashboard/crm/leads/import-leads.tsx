import { useSearch } from '@tanstack/react-router'
import { cancelLeadImport, importLeads, listLeadImports, readLeadImport } from '#contract/crm/lead-imports.ts'
import type { ImportKind } from '../imports/import-kind.ts'
import { ImportPage } from '../imports/import-page.tsx'
import { leadImportTexts } from './import.words.ts'
import { leadFieldTexts } from './lead.words.ts'
import { leadFields } from './lead-draft.ts'

const leads: ImportKind = {
  operations: {
    start: importLeads,
    list: listLeadImports,
    read: readLeadImport,
    cancel: cancelLeadImport,
  },
  // a file names no person of the organization
  fields: leadFields.filter(field => field !== 'assigneeId'),
  fieldTexts: leadFieldTexts,
  texts: leadImportTexts,
}

/** Imports leads from a CSV file. */
export function ImportLeads() {
  const { open } = useSearch({ from: '/o/$organization/leads/import' })
  return <ImportPage kind={leads} open={open} />
}
