import type { BankFileReport, EntryEffect } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { lookUp } from '#platform/required.ts'
import { type DirectDebitRow, directDebitsOf, findDirectDebits } from '../direct-debit.sql.ts'
import { paymentGroupId } from '../remittances/pain-008.ts'
import { refuseBankFile } from './bank-file.ts'
import type { BankFile, ReportedEntry, ReportedResult } from './parse-bank-file.ts'

/** A result with its direct debit; undefined if no direct debit of the organization has the reference. */
export type AssignedResult = ReportedResult & { reference: string; debit: DirectDebitRow | undefined }

/** Finds the direct debits of the entries of a file. A group results in an entry for each of its direct debits. */
export async function assignResults(db: Db, { entries }: BankFile): Promise<AssignedResult[]> {
  const ids = entries.flatMap(({ endToEndId }) => endToEndId ?? [])
  const debits = new Map((await findDirectDebits(db, [...new Set(ids)])).map(debit => [debit.id, debit]))
  const groups = new Map<string, DirectDebitRow[]>()
  for (const { groupId } of entries) {
    if (groupId !== null && !groups.has(groupId)) groups.set(groupId, await debitsOfGroup(db, groupId))
  }
  const assigned = entries.flatMap(entry =>
    entry.groupId === null
      ? [{ ...entry, reference: entry.endToEndId ?? '', debit: debits.get(entry.endToEndId ?? '') }]
      : ofGroup(entry, entry.groupId, lookUp(groups, entry.groupId)),
  )
  if (assigned.length > limits.bankFileEntries)
    refuseBankFile(`is about more than ${limits.bankFileEntries} direct debits`)
  return assigned
}

/** The direct debits of a message or of a group of payments; none if it is unknown. */
async function debitsOfGroup(db: Db, groupId: string): Promise<DirectDebitRow[]> {
  const [remittanceId] = groupId.split('-') as [string]
  const debits = await directDebitsOf(db, remittanceId)
  return groupId === remittanceId
    ? debits
    : debits.filter(debit => paymentGroupId(remittanceId, debit) === groupId)
}

/** A credit of a whole group counts only if it is the sum of the direct debits that were not rejected before. */
function ofGroup(entry: ReportedEntry, groupId: string, debits: readonly DirectDebitRow[]): AssignedResult[] {
  if (debits.length === 0) return [{ ...entry, reference: groupId, debit: undefined }]
  const { amountCents } = entry
  if (entry.result === 'REJECTED')
    return debits.map(debit => ({ ...entry, reference: debit.id, amountCents: null, debit }))
  const reported = debits.filter(({ outcome }) => outcome !== 'REJECTED' && outcome !== 'CANCELLED')
  const isWhole = amountCents === reported.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  return (isWhole ? reported : debits).map(debit => ({
    ...entry,
    reference: debit.id,
    // an amount that no direct debit has
    amountCents: isWhole ? debit.amount_cents : -1,
    debit,
  }))
}

/** An entry of the reply. */
export function showEntry(
  { reference, debit, reasonCode, amountCents }: AssignedResult,
  effect: EntryEffect,
): BankFileReport['entries'][number] {
  return {
    reference,
    effect,
    reasonCode,
    amountCents: amountCents === null || amountCents < 0 ? (debit?.amount_cents ?? null) : amountCents,
    invoiceId: debit?.invoice_id ?? null,
    invoiceNumber: debit?.invoice_number ?? null,
  }
}
