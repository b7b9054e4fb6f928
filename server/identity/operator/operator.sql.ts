import type { OperatedOrganization, OperatedPerson, Operator } from '#contract/identity/operator.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { organizationFields } from '../organization/organization.sql.ts'

const operatorReason = 'operators serve all organizations'
const personReason = 'people are not tied to an organization'

type Filters = { search: string | null }
const filters = { search: 'lower(o.name) like lower($search)' }
export const listedOrganizations = withFilters<
  OperatedOrganization,
  Filters & { limit: number; offset: number }
>(
  filters,
  condition => `select ${organizationFields} from organization o where ${condition}
    order by lower(o.name), o.id limit $limit offset $offset`,
  text => crossTenantSql(operatorReason, text),
)
export const countedOrganizations = withFilters<{ total: number }, Filters>(
  filters,
  condition => `select count(*) as total from organization o where ${condition}`,
  text => crossTenantSql(operatorReason, text),
)

const person = 'id, name, email, locked_at as "lockedAt", locked_reason as "lockedReason"'

export const peopleWithEmail = crossTenantSql<OperatedPerson, { email: string }>(
  personReason,
  `select ${person} from person where email = $email`,
)

/** Ends the person's sessions in the same statement. No row if there is no such person. */
export const setLocked = crossTenantSql<OperatedPerson, { personId: string; reason: string }>(
  personReason,
  `with changed as (
     update person set locked_at = coalesce(locked_at, now()), locked_reason = $reason, updated_at = now()
     where id = $personId returning ${person}
   ), ended as (
     delete from session where person_id in (select id from changed)
   )
   select * from changed`,
)
export const setUnlocked = crossTenantSql<OperatedPerson, { personId: string }>(
  personReason,
  `update person set locked_at = null, locked_reason = null, updated_at = now() where id = $personId
    returning ${person}`,
)

export const organizationsOfPerson = crossTenantSql<{ id: string }, { personId: string }>(
  personReason,
  `select m.organization_id as id from membership m where m.person_id = $personId and m.removed_at is null
   order by m.organization_id`,
)

export const insertOperator = crossTenantSql<never, { personId: string; homeId: string }>(
  personReason,
  'insert into operator (person_id, home_id) values ($personId, $homeId) on conflict (person_id) do nothing',
)
const operatorFields = `p.id as "personId", p.name, p.email, p.locked_at as "lockedAt", op.created_at as since`
// there are few operators
export const listedOperators = crossTenantSql<Operator, { limit: number; offset: number }>(
  personReason,
  `select ${operatorFields} from operator op join person p on p.id = op.person_id
   order by op.created_at, op.person_id limit $limit offset $offset`,
)
export const countedOperators = crossTenantSql<{ total: number }>(
  personReason,
  'select count(*) as total from operator',
)
export const operatorById = crossTenantSql<Operator, { personId: string }>(
  personReason,
  `select ${operatorFields} from operator op join person p on p.id = op.person_id where op.person_id = $personId`,
)
/** In a fixed order, so that two operators who remove each other run one after the other. */
export const lockOperators = crossTenantSql<{ person_id: string; home_id: string }>(
  personReason,
  `select person_id, home_id from operator order by person_id for update`,
)
export const deleteOperator = crossTenantSql<never, { personId: string }>(
  personReason,
  'delete from operator where person_id = $personId',
)
/** The organization of operators: that of the first one. */
export const operatorOrganization = crossTenantSql<{ id: string }>(
  operatorReason,
  'select o.home_id as id from operator o order by o.created_at, o.person_id limit 1',
)
export const anyPersonExists = crossTenantSql<{ exists: boolean }>(
  personReason,
  'select exists (select from person) as exists',
)
