import type { ScopeRequest } from '#contract/integrations/critical-scopes.ts'
import { limits } from '#contract/limits.ts'
import type { CriticalScope } from '#contract/permissions.ts'
import type { CrossTenantDb, Db, Tx } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { Page } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import type { Language } from '#platform/language.ts'

type RequestStatus = ScopeRequest['status']
/** A request for a critical scope. */
export type ScopeRequestRow = {
  id: string
  application_id: string
  scope: CriticalScope
  purpose: string
  status: RequestStatus
  requested_by: string
  requested_by_name: string
  requested_at: string
  closed_at: string | null
  answer: string | null
}
/** The same with the names that operators need. */
export type OperatedScopeRequestRow = ScopeRequestRow & {
  organization_id: string
  organization_name: string
  application_name: string
  application_status: 'ACTIVE' | 'DISABLED'
}

const operatorReason = 'operators answer the requests of all organizations'
const columns = `r.id, r.application_id, r.scope, r.purpose, r.status, r.requested_by, m.name as requested_by_name,
  r.requested_at, r.closed_at, r.answer`

const insertRow = sql<
  { id: string },
  { id: string; applicationId: string; scope: string; purpose: string; personId: string }
>(`
  insert into application_scope_request as r (organization_id, id, application_id, scope, purpose, requested_by)
  values ($organization, $id, $applicationId, $scope, $purpose, $personId) returning r.id`)

/** Inserts an open request. The caller holds the lock of the application and checked that none is open. */
export async function insertScopeRequest(
  tx: Tx,
  request: { applicationId: string; scope: CriticalScope; purpose: string; personId: string },
): Promise<string> {
  const { applicationId, scope, purpose, personId } = request
  return (await tx.one(insertRow, { id: newId(), applicationId, scope, purpose, personId })).id
}

// index application_scope_request_open
const selectOpenScopes = sql<{ scope: CriticalScope }, { applicationId: string }>(`
  select r.scope from application_scope_request r
  where r.organization_id = $organization and r.application_id = $applicationId and r.status = 'OPEN'`)

/** The scopes for which an application has an open request. */
export async function openlyRequestedScopes(db: Db, applicationId: string): Promise<CriticalScope[]> {
  return (await db.rows(selectOpenScopes, { applicationId })).map(({ scope }) => scope)
}

const selectById = sql<ScopeRequestRow, { applicationId: string; id: string }>(`
  select ${columns} from application_scope_request r
  join membership m on m.organization_id = $organization and m.person_id = r.requested_by
  where r.organization_id = $organization and r.application_id = $applicationId and r.id = $id`)

/** A request of an application; undefined if there is none. */
export function scopeRequestById(
  db: Db,
  applicationId: string,
  id: string,
): Promise<ScopeRequestRow | undefined> {
  return db.first(selectById, { applicationId, id })
}

type Filters = { applicationId: string; status: RequestStatus | null }
const filters = { status: 'r.status = $status' }
// index application_scope_request_application
const page = withFilters<ScopeRequestRow, Filters & { limit: number; offset: number }>(
  filters,
  condition => `select ${columns} from application_scope_request r
    join membership m on m.organization_id = $organization and m.person_id = r.requested_by
    where r.organization_id = $organization and r.application_id = $applicationId and ${condition}
    order by r.id desc limit $limit offset $offset`,
)
const counted = withFilters<{ total: number }, Filters>(
  filters,
  condition => `select count(*)::int as total from (
    select from application_scope_request r
    where r.organization_id = $organization and r.application_id = $applicationId and ${condition}
    limit ${limits.pageOffset + limits.pageLimit}) n`,
)

/** A page of the requests of an application, newest first, with the total. */
export async function pageOfScopeRequests(
  db: Db,
  applicationId: string,
  status: RequestStatus | null,
  { limit, offset }: Page,
): Promise<{ rows: ScopeRequestRow[]; total: number }> {
  const args = { applicationId, status, limit, offset }
  const [rows, count] = await Promise.all([db.rows(page(args), args), db.one(counted(args), args)])
  return { rows, total: count.total }
}

const close = sql<
  { id: string },
  { id: string; status: RequestStatus; operatorId: string | null; answer: string | null }
>(`
  update application_scope_request r set status = $status, closed_at = (select clock_timestamp()),
    answered_by = $operatorId, answer = $answer
  where r.organization_id = $organization and r.id = $id and r.status = 'OPEN' returning r.id`)

/** Closes an open request. False if it was closed before. */
export async function closeScopeRequest(
  tx: Tx,
  id: string,
  { status, operatorId, answer }: { status: RequestStatus; operatorId: string | null; answer: string | null },
): Promise<boolean> {
  return (await tx.first(close, { id, status, operatorId, answer })) !== undefined
}

const setGranted = sql<
  { id: string },
  { applicationId: string; scope: string; operatorId: string; answer: string }
>(`
  update application_scope_request r
  set status = 'GRANTED', closed_at = (select clock_timestamp()), answered_by = $operatorId, answer = $answer
  where r.organization_id = $organization and r.application_id = $applicationId and r.scope = $scope
    and r.status = 'OPEN' returning r.id`)

/** Marks the open request for a scope as granted. Returns its id if there was one. */
export async function markScopeRequestGranted(
  tx: Tx,
  applicationId: string,
  { scope, operatorId, answer }: { scope: CriticalScope; operatorId: string; answer: string },
): Promise<string | undefined> {
  return (await tx.first(setGranted, { applicationId, scope, operatorId, answer }))?.id
}

const withdrawAll = sql<never, { applicationId: string }>(`
  update application_scope_request r set status = 'WITHDRAWN', closed_at = (select clock_timestamp())
  where r.organization_id = $organization and r.application_id = $applicationId and r.status = 'OPEN'`)

/** Withdraws the open requests of an application that is deleted. */
export async function withdrawScopeRequests(tx: Tx, applicationId: string): Promise<void> {
  await tx.run(withdrawAll, { applicationId })
}

const operatedJoins = `join membership m on m.organization_id = r.organization_id and m.person_id = r.requested_by
  join application a on a.organization_id = r.organization_id and a.id = r.application_id
  join organization o on o.id = r.organization_id`
const operatedColumns = `${columns}, r.organization_id, o.name as organization_name, a.name as application_name,
  a.status as application_status`
// index application_scope_request_status
const operatedPage = (direction: 'asc' | 'desc') =>
  crossTenantSql<OperatedScopeRequestRow, { status: RequestStatus; limit: number; offset: number }>(
    operatorReason,
    `select ${operatedColumns} from (
       select q.* from application_scope_request q where q.status = $status
       order by q.id ${direction} limit $limit offset $offset) r ${operatedJoins} order by r.id ${direction}`,
  )
const oldestFirst = operatedPage('asc')
const newestFirst = operatedPage('desc')
const operatedCount = crossTenantSql<{ total: number }, { status: RequestStatus }>(
  operatorReason,
  `select count(*)::int as total from (
     select 1 from application_scope_request q where q.status = $status
       limit ${limits.pageOffset + limits.pageLimit}) n`,
)

/** A page of the requests of all organizations: open ones oldest first, closed ones newest first. */
export async function pageOfOperatedScopeRequests(
  db: CrossTenantDb,
  status: RequestStatus,
  { limit, offset }: Page,
): Promise<{ rows: OperatedScopeRequestRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.rows(status === 'OPEN' ? oldestFirst : newestFirst, { status, limit, offset }),
    db.one(operatedCount, { status }),
  ])
  return { rows, total: count.total }
}

/** The number of open requests of all organizations. */
export async function countOpenScopeRequests(db: CrossTenantDb): Promise<number> {
  return (await db.one(operatedCount, { status: 'OPEN' })).total
}

// index application_scope_request_id
const selectOperated = crossTenantSql<OperatedScopeRequestRow, { id: string }>(
  operatorReason,
  `select ${operatedColumns} from application_scope_request r ${operatedJoins} where r.id = $id`,
)

/** A request of any organization; undefined if there is none. */
export function operatedScopeRequest(
  db: CrossTenantDb,
  id: string,
): Promise<OperatedScopeRequestRow | undefined> {
  return db.first(selectOperated, { id })
}

const selectExists = sql<{ exists: boolean }>(
  'select exists (select from organization o where o.id = $organization) as exists',
)

export async function organizationExists(db: Db): Promise<boolean> {
  return (await db.one(selectExists)).exists
}

const selectMailed = sql<
  {
    application_name: string
    email: string
    language: Language | null
    scope: string
    status: RequestStatus
    answer: string | null
  },
  { id: string }
>(`
  select a.name as application_name, m.email, v.language, r.scope, r.status, r.answer
  from application_scope_request r
  join application a on a.organization_id = $organization and a.id = r.application_id
  join membership m on m.organization_id = $organization and m.person_id = r.requested_by and m.removed_at is null
  left join person_preference v on v.person_id = m.person_id
  where r.organization_id = $organization and r.id = $id`)

/** An answered request as the mail describes it; undefined if the person who requested the scope has left. */
export function mailedScopeRequest(db: Db, id: string) {
  return db.first(selectMailed, { id })
}
