import { checkTaxRecords } from '#contract/billing/tax-records.ts'
import type { Db } from '#platform/data/db.ts'
import { query } from '#platform/http/operation.ts'
import { recordHash } from './record-hash.ts'
import { type ChainRow, listChains, recordsAfter } from './tax-record.sql.ts'

/** Computes the hash of every record again, in the order of its chain, and compares it with the next record. */
export const check = query(checkTaxRecords, async ({ db }) => {
  let checked = 0
  // the ends are read first, so that new records are beyond them
  for (const chain of await listChains(db)) {
    const number = await firstFault(db, chain)
    if (number !== undefined) {
      const brokenAt = { issuerNif: chain.issuer_nif, number }
      return { holds: false, checked: checked + number, brokenAt }
    }
    checked += chain.last_number
  }
  return { holds: true, checked, brokenAt: null }
})

/** The number of the first record that was altered or is missing; undefined if the chain is whole. */
async function firstFault(
  db: Db,
  { issuer_nif, last_number, last_hash }: ChainRow,
): Promise<number | undefined> {
  let last = {
    number: 0,
    invoice: null as string | null,
    day: null as string | null,
    hash: null as string | null,
  }
  while (last.number < last_number) {
    const records = await recordsAfter(db, issuer_nif, last.number)
    for (const record of records.filter(({ number }) => number <= last_number)) {
      const isNext =
        record.number === last.number + 1 &&
        record.previous_hash === last.hash &&
        record.previous_invoice_number === last.invoice &&
        record.previous_issue_date === last.day
      if (!isNext || recordHash(record) !== record.hash) return last.number + 1
      last = {
        number: record.number,
        invoice: record.invoice_number,
        day: record.issue_date,
        hash: record.hash,
      }
    }
    if (records.length === 0) return last.number + 1
  }
  return last.hash === last_hash ? undefined : last_number
}
