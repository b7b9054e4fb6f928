import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Page, pageQuery } from '../shapes.ts'
import { CsvImport, CsvImportDryRun, CsvImportReport, csvForm } from './csv-imports.ts'

const teamAccess = {
  area: 'crm',
  module: 'crm',
  capability: 'crm.leads',
  auth: { session: { permission: 'CRM_EDIT' } },
} as const

export const importLeads = operation('POST /leads/import', {
  announces: { event: 'lead-import.moved', change: 'created' },
  ...teamAccess,
  summary: 'Create leads from a CSV file',
  description:
    'Accepts UTF-8, UTF-16 with a byte order mark, or Windows-1252, separated by comma, semicolon or tab, with at most ' +
    `${limits.csvImportLines} lines. The header names the columns: email, phone, firstName, lastName, company, source, stage, notes, ` +
    'score, temperature, or the usual Spanish names. `mapping` assigns columns to fields: a JSON object such as ' +
    '`{"Móvil":"phone","Fijo":null}`, where null ignores a column. Each line must satisfy the rules of POST /leads: the import ' +
    'reports lines that do not, and creates leads from the others. It ignores columns that only an export has, and notes if the ' +
    'caller may not read them. A file that is not readable to its end, or has an unknown column, is refused before anything is ' +
    'stored. The reply is sent once the file is stored. A worker then creates the leads, ' +
    `${limits.csvImportBatch} at a time; GET /leads/imports/:id shows the progress. An organization runs one import at a time. With ` +
    '`dryRun=true` nothing is stored, and the reply shows the detected format, the field of each column, and the first lines as ' +
    'the import would read them.',
  requestType: 'multipart/form-data',
  formFields: csvForm,
  reply: CsvImport,
  status: 202,
  alternateReply: { status: 200, reply: CsvImportDryRun },
  errors: ['CSV_NOT_READABLE', 'BODY_TOO_LARGE', 'LEAD_IMPORT_RUNNING'],
})

export const listLeadImports = operation('GET /leads/imports', {
  ...teamAccess,
  summary: 'List imports of leads, latest first',
  description: `Imports are listed for ${limits.csvImportDays} days after they end.`,
  query: pageQuery,
  reply: Page(CsvImport),
})

export const readLeadImport = operation('GET /leads/imports/:id', {
  ...teamAccess,
  summary: 'Retrieve an import of leads with its progress and line reports',
  params: { id: Id },
  reply: CsvImportReport,
  errors: ['LEAD_IMPORT_NOT_FOUND'],
})

export const cancelLeadImport = operation('POST /leads/imports/:id/cancel', {
  announces: { event: 'lead-import.moved' },
  ...teamAccess,
  summary: 'Cancel an import of leads',
  description: 'Leads that were created remain. The lines from `stoppedAt` on are deleted.',
  params: { id: Id },
  reply: CsvImport,
  errors: ['LEAD_IMPORT_NOT_FOUND', 'LEAD_IMPORT_ENDED'],
})
