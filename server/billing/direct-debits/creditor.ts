import { type Creditor, readCreditor, updateCreditor } from '#contract/billing/direct-debits.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { command, query } from '#platform/http/operation.ts'
import { ibanOf, isCreditorIdentifier, refuse } from './account.rules.ts'
import { findCreditor, lockCreditor, setCreditor } from './creditor.sql.ts'

export const read = query(readCreditor, async ({ db }) => ({ creditor: (await findCreditor(db)) ?? null }))

/** Sets the creditor data (SDD-2). */
export const update = command(updateCreditor, async ({ tx, body, audit }) => {
  const creditor: Creditor = { ...body, iban: ibanOf(body.iban) }
  if (!isCreditorIdentifier(creditor.identifier)) refuse('identifier', 'has wrong check digits')
  const before = await lockCreditor(tx)
  const changed = changedFieldNames(['name', 'identifier', 'iban', 'bic'], before, creditor)
  audit(tx.organizationId, changed)
  if (changed.length > 0) await setCreditor(tx, creditor)
  return creditor
})
