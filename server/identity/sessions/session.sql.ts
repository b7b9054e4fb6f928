import { type Module, type Plan, planIncludes, plans } from '#contract/permissions.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { addressesOf, addressOf } from '../organization/address.sql.ts'

/** The modules and capabilities in the plan of an organization. */
export type PlanRow = {
  organization_id: string
  plan: Plan
  modules_added: string[]
  modules_removed: string[]
  capabilities_added: string[]
  capabilities_removed: string[]
  features: string[]
  suspended: boolean
}
export type CallerRow = PlanRow & {
  session_id: string
  person_id: string
  role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'CUSTOM'
  role_permissions: string[] | null
  is_operator: boolean
  department_ids: string[]
  workspace_ids: string[]
  group_ids: string[]
}

const unitsOf = (kind: string) => `array(
  select u.unit_id from unit_member u
  where u.organization_id = m.organization_id and u.person_id = m.person_id and u.kind = '${kind}')`

/** The columns of PlanRow, apart from the id, of an organization `o`. */
export const planColumns = `o.plan, o.modules_added, o.modules_removed, o.capabilities_added, o.capabilities_removed,
     o.features, o.suspended_at is not null as suspended`

/** SQL condition: an organization `o` has a module and is not suspended. */
export function hasModule(module: Module): string {
  const including = plans.filter(plan => planIncludes[plan].modules.includes(module))
  return `(o.suspended_at is null and '${module}' <> all (o.modules_removed)
    and (o.plan in ('${including.join("', '")}') or '${module}' = any (o.modules_added)))`
}

/** The columns of a caller for a member `m`; the joins after `m`, and the conditions on the person. */
export const callerColumns = `m.person_id, m.organization_id, m.role, r.permissions as role_permissions,
     ${planColumns}, op.person_id is not null as is_operator,
     ${unitsOf('DEPARTMENT')} as department_ids,
     ${unitsOf('WORKSPACE')} as workspace_ids,
     ${unitsOf('GROUP')} as group_ids`
export const callerJoins = `join person p on p.id = m.person_id
   join organization o on o.id = m.organization_id
   left join role r on r.organization_id = m.organization_id and r.id = m.custom_role_id
   left join operator op on op.person_id = m.person_id and op.home_id = m.organization_id`
export const mayCall = 'p.locked_at is null and m.removed_at is null'

const fromSession = `select s.id as session_id, ${callerColumns}
   from session s
   join membership m on m.person_id = s.person_id and m.organization_id = $organizationId
   ${callerJoins}
   where s.id = $sessionId and s.person_id = $personId and s.expires_at > now() and ${mayCall}`
export const callerOfSession = crossTenantSql<
  CallerRow,
  { sessionId: string; personId: string; organizationId: string }
>('the credential identifies the organization', fromSession)
/** The same until a time, in seconds since 1970. */
export const callerOfSessionUntil = crossTenantSql<
  CallerRow,
  { sessionId: string; personId: string; organizationId: string; expires: number }
>(
  'the credential identifies the organization',
  `${fromSession} and clock_timestamp() <= to_timestamp($expires::int8)`,
)
export const databaseSeconds = crossTenantSql<{ now_seconds: number }>(
  'the time belongs to no organization',
  'select floor(extract(epoch from clock_timestamp()))::int8 as now_seconds',
)

export type OwnMembership = {
  id: string
  name: string
  address: string
  /** Current and former. */
  addresses: string[]
  plan: Plan
  role: string
  role_id: string | null
  suspended: boolean
  is_operator: boolean
}

export const membershipsOfPerson = crossTenantSql<OwnMembership, { personId: string }>(
  'a person chooses among the organizations they belong to',
  `select o.id, o.name, ${addressOf('o.id')} as address, ${addressesOf('o.id')} as addresses, o.plan, m.role,
     m.custom_role_id as role_id, o.suspended_at is not null as suspended,
     op.person_id is not null as is_operator
   from membership m join organization o on o.id = m.organization_id
   left join operator op on op.person_id = m.person_id and op.home_id = m.organization_id
   where m.person_id = $personId and m.removed_at is null
   order by m.created_at, o.id
   limit 200`,
)

export const personById = crossTenantSql<{ id: string; name: string; email: string }, { personId: string }>(
  'people are not tied to an organization',
  'select id, name, email from person where id = $personId',
)

/** Makes every process clear its cache of a person, in each of the person's organizations. */
export const forgetPerson = crossTenantSql<
  { organization_id: string },
  { personId: string; idPrefix: string }
>(
  'a session belongs to a person, who may have several organizations',
  `insert into access_change (organization_id, id, person_id)
   select m.organization_id, $idPrefix || row_number() over (), m.person_id from membership m
   where m.person_id = $personId
   returning organization_id`,
)
