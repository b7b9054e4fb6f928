import type { DirectDebit, Remittance, RemittanceDetail } from '#contract/billing/direct-debits.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { type DirectDebitRow, directDebitsOf } from '../direct-debit.sql.ts'
import { isBankDay } from './bank-days.ts'
import { findRemittance, type RemittanceRow } from './remittance.sql.ts'

export function showRemittance(row: RemittanceRow): Remittance {
  return {
    id: row.id,
    state: row.state,
    collectionDate: row.collection_date,
    isBankDay: isBankDay(row.collection_date),
    count: row.count,
    totalCents: row.total_cents,
    openCount: row.open_count,
    collectedCents: row.collected_cents,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    cancelledAt: row.cancelled_at,
  }
}

export function showDirectDebit(row: DirectDebitRow): DirectDebit {
  return {
    id: row.id,
    state: row.outcome ?? 'OPEN',
    invoiceId: row.invoice_id,
    invoiceNumber: row.invoice_number,
    clientId: row.client_id,
    clientName: row.client_name,
    mandateReference: row.mandate_reference,
    amountCents: row.amount_cents,
    reasonCode: row.reason_code,
  }
}

/** A remittance with its direct debits. Refuses REMITTANCE_NOT_FOUND. */
export async function showWholeRemittance(db: Db, id: string): Promise<RemittanceDetail> {
  const [row, debits] = await Promise.all([findRemittance(db, id), directDebitsOf(db, id)])
  return { ...showRemittance(row ?? fail('REMITTANCE_NOT_FOUND')), directDebits: debits.map(showDirectDebit) }
}
