import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const importStatuses = ['RUNNING', 'DONE', 'STOPPED', 'CANCELLED'] as const

/** The result of one line of a file. */
export const CsvImportLine = Type.Object({
  line: Type.Integer({ description: 'The line number in the file; the header is line 1' }),
  id: Nullable(Id),
  duplicates: Type.Integer({
    description:
      'The number of other leads with the same e-mail or telephone, or of other clients that are the same',
  }),
  errors: Type.Array(Type.Object({ column: Nullable(Type.String()), message: Type.String() })),
})
export type CsvImportLine = Static<typeof CsvImportLine>
const counts = {
  created: Type.Integer(),
  refused: Type.Integer(),
  ignoredColumns: Type.Array(Type.String()),
}
const lines = Type.Array(CsvImportLine, {
  description: `Refused lines and lines with duplicates; at most the first ${limits.csvImportReportedLines}`,
})

/** An import of leads or clients from a file. */
const importFields = {
  id: Id,
  fileName: Type.String(),
  status: OneOf(importStatuses),
  total: Type.Integer({ description: 'The number of lines in the file, without the header and empty lines' }),
  done: Type.Integer({ description: 'The number of processed lines, which were imported or refused' }),
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
export const CsvImport = Type.Object(importFields)
export type CsvImport = Static<typeof CsvImport>
export const CsvImportReport = Type.Object({ ...importFields, lines })
export type CsvImportReport = Static<typeof CsvImportReport>

/** The result of a dry run. */
export const CsvImportDryRun = Type.Object({
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
export type CsvImportDryRun = Static<typeof CsvImportDryRun>

/** The form of an import. */
export const csvForm = {
  file: Type.Unsafe<never>({ type: 'string', format: 'binary' }),
  dryRun: Type.Optional(OneOf(['true', 'false'])),
  mapping: Type.Optional(
    Type.String({
      maxLength: limits.formFieldBytes,
      description: 'A JSON object from column names in the file to fields or null',
    }),
  ),
}
