import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

type Endpoint = { organization_id: string; application_id: string }

const select = crossTenantSql<Endpoint>(
  'a restored backup contains all organizations',
  'select organization_id, application_id from webhook_endpoint',
)

/** Every webhook of the server, also those that are paused. */
export function listEndpoints({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<Endpoint[]> {
  return crossTenant.rows(select)
}
