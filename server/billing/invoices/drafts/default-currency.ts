import { currencyInUse } from '#platform/currency.ts'
import type { Db } from '#platform/data/database.ts'
import { issuerOf } from '#server/crm/index.ts'

/** In which currency the organization bills when nothing else is said. Refuses VALIDATION_ERROR when it was withdrawn. */
export async function defaultCurrency(db: Db): Promise<string> {
  return currencyInUse((await issuerOf(db))?.currency ?? 'eur')
}
