import {
  type BankFileReport,
  importBankFile,
  previewBankFile,
  recordDirectDebitResult,
} from '#contract/billing/direct-debits.ts'
import { now } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { command, query, workflow } from '#platform/http/operation.ts'
import { findDirectDebits, readDirectDebit } from '../direct-debit.sql.ts'
import { showDirectDebit } from '../remittances/remittance.json.ts'
import { readBankFile } from './bank-file.ts'
import { effectOf, isRecorded, type KnownResult } from './entry-effect.ts'
import { type AssignedResult, assignResults, showEntry } from './report.ts'
import { settleDirectDebit } from './settle-direct-debit.ts'

/** Shows the effects of a file in the order in which an import records them (SDD-12). */
export const preview = query(previewBankFile, async ({ db, body }) => {
  const file = await readBankFile(body.document)
  const states = new Map<string, KnownResult>()
  const entries: BankFileReport['entries'] = []
  for (const assigned of await assignResults(db, file)) entries.push(expected(assigned, states))
  return { format: file.format, entries }
})

function expected(
  assigned: AssignedResult,
  states: Map<string, KnownResult>,
): BankFileReport['entries'][number] {
  const { debit } = assigned
  if (!debit) return showEntry(assigned, 'UNKNOWN')
  const known = states.get(debit.id) ?? debit
  const effect = effectOf(known, assigned)
  if (isRecorded(effect)) {
    const rejected_at = effect === 'REJECTED' ? now().toISOString() : known.rejected_at
    states.set(debit.id, { ...known, outcome: effect, rejected_at })
  }
  return showEntry(assigned, effect)
}

/** Imports a file, each entry in a transaction of its own (SDD-12). */
export const importFile = workflow(importBankFile, async ({ db, caller, body, transact, services }) => {
  const file = await readBankFile(body.document)
  const entries: BankFileReport['entries'] = []
  for (const assigned of await assignResults(db, file)) {
    const { debit } = assigned
    if (!debit) {
      entries.push(showEntry(assigned, 'UNKNOWN'))
      continue
    }
    const effect = await transact(
      async tx => {
        const settled = await settleDirectDebit(tx, services, caller, debit, assigned)
        if (!isRecorded(settled)) tx.pending.isReplay = true
        return settled
      },
      { subject: debit.invoice_id, changed: ['directDebit'], detail: detailOf(assigned) },
    )
    entries.push(showEntry(assigned, effect))
  }
  return { format: file.format, entries }
})

function detailOf({ reference, result, reasonCode }: AssignedResult) {
  return { directDebitId: reference, result, reasonCode }
}

/** Records a result by hand (SDD-13). */
export const record = command(
  recordDirectDebitResult,
  async ({ tx, caller, params: { id }, body, services, audit }) => {
    const debit = (await findDirectDebits(tx, [id]))[0] ?? fail('DIRECT_DEBIT_NOT_FOUND')
    if (debit.remittance_state === 'PREPARED') fail('REMITTANCE_STATE_INVALID')
    const reported = {
      result: body.result,
      reasonCode: body.reasonCode ?? null,
      amountCents: null,
      bookedOn: null,
    }
    const effect = await settleDirectDebit(tx, services, caller, debit, reported)
    const changed = isRecorded(effect) ? ['directDebit'] : []
    audit(debit.invoice_id, changed, detailOf({ ...reported, reference: id, debit }))
    return showDirectDebit(await readDirectDebit(tx, id))
  },
)
