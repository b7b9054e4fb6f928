import { listErrors, reportError } from '#contract/error-reports/errors.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { earlier } from '../earlier.ts'
import { only } from '../elements.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import { insertMany, insertRows, type SqlRunner } from '../rows.ts'
import type { Organization, Person, TestServer } from '../test-server.ts'

type Report = Input<typeof reportError>['body']

/** An application with the scopes to report and read errors. */
export function createReporter(
  server: TestServer,
  organization: Organization,
  overrides: Parameters<typeof makeApplication>[2] = {},
): Promise<TestApplication> {
  const scopes = ['analytics:errors:write', 'analytics:errors:read'] as const
  return makeApplication(server, organization, { scopes, ...overrides })
}

/** Reports an error; omitted fields have defaults. */
export function reportTestError(
  { client }: Pick<TestApplication, 'client'>,
  overrides: Partial<Report> & Record<string, unknown> = {},
): Promise<Reply<typeof reportError>> {
  return client.call(reportError, { body: { message: 'It broke', module: 'billing', ...overrides } })
}

/** The errors of an application, latest first. */
export async function listErrorsOf({ client }: Pick<TestApplication, 'client'>) {
  return (await client.call(listErrors)).errors
}

/** An error of an application, and a person who may manage it. */
export async function createReportedError(
  server: TestServer,
  organization: Organization,
  overrides: Partial<Report> = {},
): Promise<{ source: TestApplication; person: Person; params: { id: string; errorId: string } }> {
  const source = await createReporter(server, organization)
  const person = await organization.person({ permissions: ['ERROR_REPORTS_MANAGE'], name: 'Ada Marsh' })
  await reportTestError(source, overrides)
  const error = only(await listErrorsOf(source))
  return { source, person, params: { id: source.id, errorId: error.id } }
}

/**
 * Moves all times of an error into the past. Also increases its count, so that processes notice that their cached group is
 * stale.
 */
export async function shiftIntoPast(server: TestServer, errorId: string, hours: number): Promise<void> {
  await server.sql(
    `update error_group set count = count + 1, first_occurrence = ${earlier('first_occurrence', 'make_interval(hours => $2)')},
       last_occurrence = ${earlier('last_occurrence', 'make_interval(hours => $2)')}, hour_at = ${earlier('hour_at', 'make_interval(hours => $2)')},
       window_at = ${earlier('window_at', 'make_interval(hours => $2)')}, resolved_at = ${earlier('resolved_at', 'make_interval(hours => $2)')},
       grace_until = ${earlier('grace_until', 'make_interval(hours => $2)')}, silenced_until = ${earlier('silenced_until', 'make_interval(hours => $2)')}
     where id = $1`,
    [errorId, hours],
  )
  await server.sql(
    `update error_hour set hour = ${earlier('hour', 'make_interval(hours => $2)')} where error_id = $1`,
    [errorId, hours],
  )
}

/** The error events of an organization, in order. */
export async function errorEventsOf(server: TestServer, organizationId: string) {
  await server.relayed()
  return server.sql<{ name: string; actor_id: string | null; data: Record<string, unknown> }>(
    `select name, actor_id, data from event where organization_id = $1 and name like 'ERROR%' order by seq`,
    [organizationId],
  )
}

/**
 * Inserts errors of the module “many” that an application reported once, with their count. `columnsOf` makes the time of the
 * report and other columns, of the `n`-th error from 1.
 */
export async function insertErrors(
  server: SqlRunner,
  { id, organizationId }: { id: string; organizationId: string },
  count: number,
  columnsOf: (n: number) => { at: Date; id: string },
): Promise<void> {
  const of = { organization_id: organizationId, application_id: id, module: 'many' }
  await insertMany(server, 'error_group', count, n => {
    const { at, ...columns } = columnsOf(n)
    const times = { first_occurrence: at, last_occurrence: at, hour_at: at, window_at: at }
    return { ...of, ...times, ...columns }
  })
  await insertRows(server, 'error_group_count', [{ ...of, count }])
}
