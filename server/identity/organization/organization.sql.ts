import type { OperatedOrganization } from '#contract/identity/operator.ts'
import type { Capability, Feature, Module, Plan } from '#contract/permissions.ts'
import { sql } from '#platform/data/statement.ts'
import { addressOf } from './address.sql.ts'

const fieldsWith = (
  address: string,
) => `id, name, ${address} as address, plan, modules_added as "modulesAdded", modules_removed as "modulesRemoved",
  capabilities_added as "capabilitiesAdded", capabilities_removed as "capabilitiesRemoved", features,
  publisher_name as "publisherName", publisher_verified as "publisherVerified",
  suspended_at as "suspendedAt", suspended_reason as "suspendedReason", created_at as "createdAt"`
export const organizationFields = fieldsWith(addressOf('id'))

export const organizationOf = sql<OperatedOrganization>(
  `select ${organizationFields} from organization o where o.id = $organization`,
)
export const lockOrganization = sql<OperatedOrganization>(
  `select ${organizationFields} from organization o where o.id = $organization for no key update`,
)

// The address of a new organization is its id. With "on conflict", Citus locks the table at once as the insertion of the address
// does: two transactions that had inserted their organizations would wait for each other there.
export const insertOrganization = sql<
  OperatedOrganization,
  { name: string; plan: Plan; features: Feature[] }
>(`
  insert into organization (id, name, plan, features) values ($organization, $name, $plan, $features)
  on conflict (id) do nothing
  returning ${fieldsWith('id')}
`)

type OrganizationSettings = { name: string; features: Feature[]; publisherName: string | null }
/** The settings of the organization itself. A new publisher name is no longer verified. */
export const setOrganizationSettings = sql<OperatedOrganization, OrganizationSettings>(`
  update organization o set name = $name, features = $features, publisher_name = $publisherName,
    publisher_verified = o.publisher_verified and o.publisher_name is not distinct from $publisherName
  where o.id = $organization returning ${organizationFields}
`)

type OperatorSettings = {
  plan: Plan
  modulesAdded: Module[]
  modulesRemoved: Module[]
  capabilitiesAdded: Capability[]
  capabilitiesRemoved: Capability[]
  suspended: boolean
  reason: string | null
  publisherVerified: boolean
}
/** The settings of operators. A repeated suspension keeps its start. */
export const setOperatorSettings = sql<OperatedOrganization, OperatorSettings>(`
  update organization o set plan = $plan, modules_added = $modulesAdded, modules_removed = $modulesRemoved,
    capabilities_added = $capabilitiesAdded,
    capabilities_removed = $capabilitiesRemoved,
    suspended_at = case when $suspended then coalesce(o.suspended_at, now()) end,
    suspended_reason = $reason, publisher_verified = $publisherVerified and o.publisher_name is not null
  where o.id = $organization returning ${organizationFields}
`)
