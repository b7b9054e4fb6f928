import type { Db } from '#platform/db/database.ts'
import { issuerOf } from '#server/crm/index.ts'

/** In which currency the organization bills when nothing else is said. */
export async function currencyOf(db: Db): Promise<string> {
  return (await issuerOf(db))?.currency ?? 'eur'
}
