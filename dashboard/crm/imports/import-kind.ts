import type {
  cancelLeadImport,
  importLeads,
  listLeadImports,
  readLeadImport,
} from '#contract/crm/lead-imports.ts'
import type { Words } from '../../words/words.ts'

/** A kind of records that a CSV file contains: leads or clients. */
export type ImportKind = {
  operations: {
    start: typeof importLeads
    list: typeof listLeadImports
    read: typeof readLeadImport
    cancel: typeof cancelLeadImport
  }
  /** The fields that a column can be assigned to, and their names. */
  fields: readonly string[]
  fieldTexts: Words<Record<string, string>>
  texts: Words<ImportKindTexts>
}

/** The texts that name the records. */
export type ImportKindTexts = {
  title: string
  columnsAbout: string
  create: (count: number) => string
  start: (count: number) => string
  duplicates: (count: number) => string
  isDuplicate: string
  cancelAbout: string
}
