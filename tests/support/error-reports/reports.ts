import { listErrors, reportError } from '#contract/error-reports/errors.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import type { Organization, Person, TestServer } from '../test-server.ts'

type Report = Input<typeof reportError>['body']

/** An application that may report errors and read them. */
export function reporter(
  server: TestServer,
  organization: Organization,
  given: Parameters<typeof makeApplication>[2] = {},
): Promise<TestApplication> {
  const scopes = ['analytics:errors:write', 'analytics:errors:read'] as const
  return makeApplication(server, organization, { scopes, ...given })
}

/** Reports an error; what is left out is invented. */
export function reportOf(
  { client }: Pick<TestApplication, 'client'>,
  given: Partial<Report> & Record<string, unknown> = {},
): Promise<Reply<typeof reportError>> {
  return client.call(reportError, { body: { message: 'It broke', module: 'billing', ...given } })
}

/** The errors of an application, the latest first. */
export async function errorsOf({ client }: Pick<TestApplication, 'client'>) {
  return (await client.call(listErrors)).errors
}

/** An error of an application, and somebody who may do something about it. */
export async function errorWith(
  server: TestServer,
  organization: Organization,
  given: Partial<Report> = {},
): Promise<{ source: TestApplication; person: Person; params: { id: string; errorId: string } }> {
  const source = await reporter(server, organization)
  const person = await organization.person({ permissions: ['ERROR_REPORTS_MANAGE'], name: 'Ada Marsh' })
  await reportOf(source, given)
  const [error] = await errorsOf(source)
  return { source, person, params: { id: source.id, errorId: error!.id } }
}

/**
 * Moves an error into the past, with everything that is remembered of when it happened. It counts one more, by which
 * processes that know the error see that it is not as they left it.
 */
export async function agedBy(server: TestServer, errorId: string, hours: number): Promise<void> {
  await server.sql(
    `update error_group set count = count + 1, first_occurrence = first_occurrence - make_interval(hours => $2),
       last_occurrence = last_occurrence - make_interval(hours => $2), hour_at = hour_at - make_interval(hours => $2),
       window_at = window_at - make_interval(hours => $2), resolved_at = resolved_at - make_interval(hours => $2),
       grace_until = grace_until - make_interval(hours => $2), silenced_until = silenced_until - make_interval(hours => $2)
     where id = $1`,
    [errorId, hours],
  )
  await server.sql('update error_hour set hour = hour - make_interval(hours => $2) where error_id = $1', [
    errorId,
    hours,
  ])
}

/** The events about errors that an organization announced, in their order. */
export async function announcedErrors(server: TestServer, organizationId: string) {
  await server.relayed()
  return server.sql<{ name: string; actor_id: string | null; data: Record<string, unknown> }>(
    `select name, actor_id, data from event where organization_id = $1 and name like 'ERROR%' order by seq`,
    [organizationId],
  )
}
