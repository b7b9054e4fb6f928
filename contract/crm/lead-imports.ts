import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, pageQuery, Time } from '../shapes.ts'

const teamAccess = {
  area: 'crm',
  module: 'crm',
  capability: 'crm.leads',
  auth: { session: { permission: 'CRM_EDIT' } },
} as const

const importStatuses = ['RUNNING', 'DONE', 'STOPPED', 'CANCELLED'] as const

/** The result of one line of a file. */
export const LeadImportLine = Type.Object({
  line: Type.Integer({ description: 'The line number in the file; the header is line 1' }),
  id: Nullable(Id),
  duplicates: Type.Integer({ description: 'The number of other leads with the same e-mail or telephone' }),
  errors: Type.Array(Type.Object({ column: Nullable(Type.String()), message: Type.String() })),
})
export type LeadImportLine = Static<typeof LeadImportLine>
const counts = {
  created: Type.Integer(),
  refused: Type.Integer(),
  ignoredColumns: Type.Array(Type.String()),
}
const lines = Type.Array(LeadImportLine, {
  description: `Refused lines and lines with duplicates; at most the first ${limits.leadImportReportedLines}`,
})

/** An import of leads from a file. */
const importFields = {
  id: Id,
  fileName: Type.String(),
  status: OneOf(importStatuses),
  total: Type.Integer({ description: 'The number of lines in the file, without the header and empty lines' }),
  done: Type.Integer({ description: 'The number of processed lines, which became leads or were refused' }),
  ...counts,
  stoppedAt: Nullable(
    Type.Integer({
      description:
        'The first unprocessed line of a stopped or cancelled import. The lines before it were processed; import the others ' +
        'again',
    }),
  ),
  createdBy: Id,
  createdAt: Time,
  endedAt: Nullable(Time),
}
export const LeadImport = Type.Object(importFields)
export type LeadImport = Static<typeof LeadImport>
const LeadImportReport = Type.Object({ ...importFields, lines })
export type LeadImportReport = Static<typeof LeadImportReport>

/** The result of a dry run. */
const LeadImportDryRun = Type.Object({
  encoding: OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  delimiter: OneOf([',', ';', '\t']),
  columns: Type.Array(
    Type.Object({
      column: Type.String({ description: 'The name of the column in the file' }),
      field: Nullable(Type.String({ description: 'null if the column is ignored' })),
    }),
  ),
  preview: Type.Array(
    Type.Object({
      line: Type.Integer(),
      values: Type.Array(Type.Object({ field: Type.String(), value: Type.String() })),
    }),
    { description: 'The first lines as the import would read them' },
  ),
  ...counts,
  lines,
})
export type LeadImportDryRun = Static<typeof LeadImportDryRun>

export const importLeads = operation('POST /leads/import', {
  announces: { event: 'lead-import.moved', change: 'created' },
  ...teamAccess,
  summary: 'Create leads from a CSV file',
  description:
    'Accepts UTF-8, UTF-16 with a byte order mark, or Windows-1252, separated by comma, semicolon or tab, with at most ' +
    `${limits.leadImportLines} lines. The header names the columns: email, phone, firstName, lastName, company, source, stage, notes, ` +
    'score, temperature, or the usual Spanish names. `mapping` assigns columns to fields: a JSON object such as ' +
    '`{"Móvil":"phone","Fijo":null}`, where null ignores a column. Each line must satisfy the rules of POST /leads: the import ' +
    'reports lines that do not, and creates leads from the others. It ignores columns that only an export has, and notes if the ' +
    'caller may not read them. A file that is not readable to its end, or has an unknown column, is refused before anything is ' +
    'stored. The reply is sent once the file is stored. A worker then creates the leads, ' +
    `${limits.leadImportBatch} at a time; GET /leads/imports/:id shows the progress. An organization runs one import at a time. With ` +
    '`dryRun=true` nothing is stored, and the reply shows the detected format, the field of each column, and the first lines as ' +
    'the import would read them.',
  requestType: 'multipart/form-data',
  formFields: {
    file: Type.Unsafe<never>({ type: 'string', format: 'binary' }),
    dryRun: Type.Optional(OneOf(['true', 'false'])),
    mapping: Type.Optional(
      Type.String({
        maxLength: limits.formFieldBytes,
        description: 'A JSON object from column names in the file to fields or null',
      }),
    ),
  },
  reply: LeadImport,
  status: 202,
  alternateReply: { status: 200, reply: LeadImportDryRun },
  errors: ['CSV_NOT_READABLE', 'BODY_TOO_LARGE', 'LEAD_IMPORT_RUNNING'],
})

export const listLeadImports = operation('GET /leads/imports', {
  ...teamAccess,
  summary: 'List imports of leads, latest first',
  description: `Imports are listed for ${limits.leadImportDays} days after they end.`,
  query: pageQuery,
  reply: Page(LeadImport),
})

export const readLeadImport = operation('GET /leads/imports/:id', {
  ...teamAccess,
  summary: 'Retrieve an import of leads with its progress and line reports',
  params: { id: Id },
  reply: LeadImportReport,
  errors: ['LEAD_IMPORT_NOT_FOUND'],
})

export const cancelLeadImport = operation('POST /leads/imports/:id/cancel', {
  announces: { event: 'lead-import.moved' },
  ...teamAccess,
  summary: 'Cancel an import of leads',
  description: 'Leads that were created remain. The lines from `stoppedAt` on are deleted.',
  params: { id: Id },
  reply: LeadImport,
  errors: ['LEAD_IMPORT_NOT_FOUND', 'LEAD_IMPORT_ENDED'],
})
