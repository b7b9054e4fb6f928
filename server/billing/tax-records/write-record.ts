import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { bounded } from '#platform/http/validation.ts'
import { required } from '#platform/required.ts'
import type { IssuedInvoice } from '../invoices/invoice.row.ts'
import {
  type Cancellation,
  currentSystem,
  type Registration,
  registrationOf,
  type StoredTaxRecordOptions,
} from './record-content.ts'
import { recordHash } from './record-hash.ts'
import { spanishTime } from './spanish-time.ts'
import { insertTaxRecord, lockChainHead, taxRecordsOf } from './tax-record.sql.ts'
import { readStoredOptions } from './tax-record-options.sql.ts'

/**
 * Writes the registration of an invoice that the transaction has just issued (TAX-2). The chain is locked last. Refuses
 * TAX_RECORD_NOT_POSSIBLE.
 */
export async function writeRegistration(
  tx: Tx,
  options: StoredTaxRecordOptions,
  invoice: IssuedInvoice,
  rectified: IssuedInvoice | undefined,
): Promise<void> {
  const content = registrationOf(invoice, invoice, rectified, options)
  if ('faults' in content) fail('TAX_RECORD_NOT_POSSIBLE', { details: bounded(content.faults) })
  const { issuerNif, ...registration } = content
  await append(tx, { kind: 'REGISTRATION', issuerNif, invoice, content: registration })
}

/** Writes the cancellation of an invoice that was voided, which was registered (TAX-3). */
export async function writeCancellation(tx: Tx, invoice: IssuedInvoice): Promise<void> {
  const [options, records] = await Promise.all([readStoredOptions(tx), taxRecordsOf(tx, invoice.id)])
  const registration = required(
    records.find(({ kind }) => kind === 'REGISTRATION'),
    'the registration of a cancelled invoice',
  )
  const content: Cancellation = {
    system: currentSystem(options),
    issuerName: (registration.content as Registration).issuerName,
    isWithoutRegistration: registration.state === 'REJECTED',
  }
  await append(tx, { kind: 'CANCELLATION', issuerNif: registration.issuer_nif, invoice, content })
}

async function append(
  tx: Tx,
  {
    kind,
    issuerNif,
    invoice,
    content,
  }: {
    kind: 'REGISTRATION' | 'CANCELLATION'
    issuerNif: string
    invoice: IssuedInvoice
    content: Registration | Cancellation
  },
): Promise<void> {
  const head = await lockChainHead(tx, issuerNif)
  const record = {
    issuer_nif: issuerNif,
    number: head.last_number + 1,
    invoice_id: invoice.id,
    kind,
    invoice_number: invoice.number,
    issue_date: invoice.issue_date,
    content,
    generation_time: spanishTime(head.moment),
    created_at: head.moment,
    previous_invoice_number: head.last_invoice_number,
    previous_issue_date: head.last_issue_date,
    previous_hash: head.last_hash,
  }
  await insertTaxRecord(tx, { ...record, hash: recordHash(record) })
}
