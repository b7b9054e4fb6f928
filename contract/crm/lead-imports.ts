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

/** What came of one line of a file. */
export const LeadImportLine = Type.Object({
  line: Type.Integer({ description: 'In the file; the names of the columns are line 1' }),
  id: Nullable(Id),
  duplicates: Type.Integer({ description: 'How many others have the same e-mail or telephone' }),
  errors: Type.Array(Type.Object({ column: Nullable(Type.String()), message: Type.String() })),
})
export type LeadImportLine = Static<typeof LeadImportLine>
const counts = {
  created: Type.Integer(),
  refused: Type.Integer(),
  ignoredColumns: Type.Array(Type.String()),
}
const lines = Type.Array(LeadImportLine, {
  description: `The refused ones, and those with duplicates; the first ${limits.leadImportReportedLines}`,
})

/** A file that becomes leads, or has become some. */
const importFields = {
  id: Id,
  fileName: Type.String(),
  status: OneOf(importStatuses),
  total: Type.Integer({ description: 'Lines of the file, that of the names and empty ones left out' }),
  done: Type.Integer({ description: 'Of them those that were looked at: they became leads or were refused' }),
  ...counts,
  stoppedAt: Nullable(
    Type.Integer({
      description:
        'The first line that was not looked at when the import was stopped or cancelled: the lines before it became leads, ' +
        'import the others again',
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

/** What would come of a file. */
const LeadImportDryRun = Type.Object({
  encoding: OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  delimiter: OneOf([',', ';', '\t']),
  columns: Type.Array(
    Type.Object({
      column: Type.String({ description: 'As the file names it' }),
      field: Nullable(Type.String({ description: 'null: the column is passed over' })),
    }),
  ),
  preview: Type.Array(
    Type.Object({
      line: Type.Integer(),
      values: Type.Array(Type.Object({ field: Type.String(), value: Type.String() })),
    }),
    { description: 'The first lines, as they would be read' },
  ),
  ...counts,
  lines,
})
export type LeadImportDryRun = Static<typeof LeadImportDryRun>

export const importLeads = operation('POST /leads/import', {
  ...teamAccess,
  summary: 'Create leads from a CSV file',
  description:
    'UTF-8, UTF-16 with a byte order mark, or Windows-1252, with a line of names: email, phone, firstName, lastName, company, ' +
    'source, stage, notes, score, temperature. The usual Spanish names are understood too, and `mapping` says of a column ' +
    'which field it is: a JSON object such as `{"Móvil":"phone","Fijo":null}`, where null passes a column over. ' +
    `Separated by comma, semicolon or tab, at most ${limits.leadImportLines} lines. Each is held to the rules of POST /leads: one ` +
    'that breaks them is told, the others become leads. Columns that only an export has, and notes of who may not read ' +
    'them, are passed over. A file that cannot be read as a whole, or has another column, is refused before anything is ' +
    'kept. The answer comes once the file is kept, and the lines become leads after it, ' +
    `${limits.leadImportBatch} at a time: GET /leads/imports/:id tells how far it is. One import of an organization runs at a ` +
    'time. With `dryRun=true` nothing is kept, and the answer is what would come of it: how the file was understood, which column ' +
    'became which field, and the first lines as they would be read.',
  requestType: 'multipart/form-data',
  formFields: {
    file: Type.Unsafe<never>({ type: 'string', format: 'binary' }),
    dryRun: Type.Optional(OneOf(['true', 'false'])),
    mapping: Type.Optional(
      Type.String({
        maxLength: limits.formFieldBytes,
        description: 'JSON: the name of a column in the file, and its field or null',
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
  summary: 'Imports of leads, the latest first',
  description: `Those of the last ${limits.leadImportDays} days.`,
  query: pageQuery,
  reply: Page(LeadImport),
})

export const readLeadImport = operation('GET /leads/imports/:id', {
  ...teamAccess,
  summary: 'How far an import of leads is, and what came of its lines',
  params: { id: Id },
  reply: LeadImportReport,
  errors: ['LEAD_IMPORT_NOT_FOUND'],
})

export const cancelLeadImport = operation('POST /leads/imports/:id/cancel', {
  ...teamAccess,
  summary: 'Stop an import of leads',
  description: 'The lines that became leads remain; those from `stoppedAt` on are forgotten.',
  params: { id: Id },
  reply: LeadImport,
  errors: ['LEAD_IMPORT_NOT_FOUND', 'LEAD_IMPORT_ENDED'],
})
