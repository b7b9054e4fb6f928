import type { TaxRecord, TaxRecordStatus } from '#contract/billing/tax-records.ts'
import type { Registration } from './record-content.ts'
import type { TaxRecordRow } from './tax-record.row.ts'

/** A record in the list of problems. */
export function showProblem(record: TaxRecordRow): TaxRecordStatus['problems'][number] {
  return {
    number: record.number,
    kind: record.kind,
    state: record.state,
    invoiceId: record.invoice_id,
    invoiceNumber: record.invoice_number,
    answeredAt: record.answered_at,
    errorCode: record.error_code,
    errorText: record.error_text,
  }
}

export function showTaxRecord(record: TaxRecordRow): TaxRecord {
  return {
    ...showProblem(record),
    invoiceType: record.kind === 'REGISTRATION' ? (record.content as Registration).type : null,
    generationTime: record.generation_time,
    hash: record.hash,
    previousHash: record.previous_hash,
    csv: record.csv,
  }
}
