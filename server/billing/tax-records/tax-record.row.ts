import type { TaxRecordState, taxRecordKinds } from '#contract/billing/tax-records.ts'
import type { Cancellation, Registration } from './record-content.ts'

/** A record in its chain. Days are YYYY-MM-DD. */
export type TaxRecordRow = {
  issuer_nif: string
  number: number
  invoice_id: string
  kind: (typeof taxRecordKinds)[number]
  invoice_number: string
  issue_date: string
  content: Registration | Cancellation
  /** With the offset of its time zone. */
  generation_time: string
  previous_invoice_number: string | null
  previous_issue_date: string | null
  previous_hash: string | null
  hash: string
  state: TaxRecordState
  answered_at: string | null
  error_code: string | null
  error_text: string | null
  csv: string | null
}

const columns = [
  'issuer_nif',
  'number',
  'invoice_id',
  'kind',
  'invoice_number',
  'content',
  'generation_time',
  'previous_invoice_number',
  'previous_hash',
  'hash',
  'state',
  'answered_at',
  'error_code',
  'error_text',
  'csv',
]
const days = ['issue_date', 'previous_issue_date']
/** The select list of a whole row of `tax_record r`. */
export const taxRecordColumns = [
  ...columns.map(name => `r.${name}`),
  ...days.map(day => `to_char(r.${day}, 'YYYY-MM-DD') as ${day}`),
].join(', ')
