import { currencyInUse } from '#platform/currency.ts'
import type { Db } from '#platform/data/db.ts'
import { issuerOf } from '#server/crm/index.ts'

/** The default currency of the organization. Refuses VALIDATION_ERROR when that currency was withdrawn. */
export async function defaultCurrency(db: Db): Promise<string> {
  return currencyInUse((await issuerOf(db))?.currency ?? 'eur')
}
