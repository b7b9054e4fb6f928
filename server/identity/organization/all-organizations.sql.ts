import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

const select = crossTenantSql<{ id: string }>(
  'a restored backup contains all organizations',
  'select o.id from organization o order by o.id',
)

/** The ids of all organizations. */
export async function allOrganizationIds({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<string[]> {
  return (await crossTenant.rows(select)).map(({ id }) => id)
}
