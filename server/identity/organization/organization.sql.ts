import type { Capability, Feature, Module, Plan } from '#contract/permissions.ts'
import { sql } from '#platform/data/statement.ts'
import { addressOf } from './address.sql.ts'

export type OrganizationRow = {
  id: string
  name: string
  address: string
  plan: Plan
  modulesAdded: Module[]
  modulesRemoved: Module[]
  capabilitiesAdded: Capability[]
  capabilitiesRemoved: Capability[]
  features: Feature[]
  publisherName: string | null
  publisherVerified: boolean
  suspendedAt: string | null
  suspendedReason: string | null
  createdAt: string
}

export const organizationFields = `id, name, ${addressOf('id')} as address, plan, modules_added as "modulesAdded", modules_removed as "modulesRemoved",
  capabilities_added as "capabilitiesAdded", capabilities_removed as "capabilitiesRemoved", features,
  publisher_name as "publisherName", publisher_verified as "publisherVerified",
  suspended_at as "suspendedAt", suspended_reason as "suspendedReason", created_at as "createdAt"`

export const organizationOf = sql<OrganizationRow>(
  `select ${organizationFields} from organization o where o.id = $1`,
)
export const lockOrganization = sql<OrganizationRow>(
  `select ${organizationFields} from organization o where o.id = $1 for no key update`,
)

export const insertOrganization = sql<OrganizationRow, [name: string, plan: Plan, features: Feature[]]>(`
  insert into organization (id, name, plan, features) values ($1, $2, $3, $4) returning ${organizationFields}
`)

type OrganizationSettings = [name: string, features: Feature[], publisherName: string | null]
/** The settings of the organization itself. A new publisher name is no longer verified. */
export const setOrganizationSettings = sql<OrganizationRow, OrganizationSettings>(`
  update organization o set name = $2, features = $3, publisher_name = $4,
    publisher_verified = o.publisher_verified and o.publisher_name is not distinct from $4
  where o.id = $1 returning ${organizationFields}
`)

type OperatorSettings = [
  plan: Plan,
  modulesAdded: Module[],
  modulesRemoved: Module[],
  capabilitiesAdded: Capability[],
  capabilitiesRemoved: Capability[],
  suspended: boolean,
  reason: string | null,
  publisherVerified: boolean,
]
/** The settings of operators. A repeated suspension keeps its start. */
export const setOperatorSettings = sql<OrganizationRow, OperatorSettings>(`
  update organization o set plan = $2, modules_added = $3, modules_removed = $4, capabilities_added = $5,
    capabilities_removed = $6, suspended_at = case when $7 then coalesce(o.suspended_at, now()) end,
    suspended_reason = $8, publisher_verified = $9 and o.publisher_name is not null
  where o.id = $1 returning ${organizationFields}
`)
