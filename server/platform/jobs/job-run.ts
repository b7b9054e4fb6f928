import type { ServerHealth } from '#contract/identity/health.ts'
import { monotonicMs } from '../clock.ts'
import type { Database } from '../data/database.ts'
import { crossTenantSql } from '../data/statement.ts'
import type { Log } from '../log.ts'

const reason = 'jobs work for all organizations'
const recordMs = 60_000

const upsertRun = crossTenantSql<never, { name: string; error: string | null }>(
  reason,
  `insert into job_run (name, ran_at, succeeded_at, failed_at, error)
   values ($name, now(), case when $error::text is null then now() end, case when $error::text is not null then now() end, $error)
   on conflict (name) do update set ran_at = now(),
     succeeded_at = coalesce(excluded.succeeded_at, job_run.succeeded_at),
     failed_at = coalesce(excluded.failed_at, job_run.failed_at), error = coalesce(excluded.error, job_run.error)`,
)

/** `succeededAt` is null if the job never succeeded, or not since this is recorded. */
export type JobRun = ServerHealth['jobs'][number]
const selectRuns = crossTenantSql<JobRun>(
  reason,
  `select name, ran_at as "ranAt", succeeded_at as "succeededAt", failed_at as "failedAt", error
   from job_run order by name limit 100`,
)
export function listJobRuns({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<JobRun[]> {
  return crossTenant.rows(selectRuns)
}

// the primary key
const sinceSuccess = crossTenantSql<{ seconds: number | null }, { name: string }>(
  reason,
  'select extract(epoch from now() - succeeded_at)::float8 as seconds from job_run where name = $name',
)
/** Undefined if the job never succeeded. */
export async function secondsSinceSuccess(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  name: string,
): Promise<number | undefined> {
  return (await crossTenant.first(sinceSuccess, { name }))?.seconds ?? undefined
}

const deleteOthers = crossTenantSql<never, { names: string[] }>(
  reason,
  'delete from job_run where name <> all($names::text[])',
)
/** Deletes the record of jobs that this version or these settings do not have any more. */
export async function forgetOtherJobs(
  names: readonly string[],
  { crossTenant }: Pick<Database, 'crossTenant'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  await crossTenant
    .rows(deleteOthers, { names: [...names] })
    .catch(err => log.warn({ err }, 'the record of former jobs could not be deleted'))
}

/**
 * Records the runs of a job for operators (OPR-11): a failure at once, other runs once a minute, because many jobs
 * run each second.
 */
export function openJobRunRecorder(
  name: string,
  { crossTenant }: Pick<Database, 'crossTenant'>,
  log: Pick<Log, 'warn'>,
): (error?: unknown) => Promise<void> {
  let nextRecordMs = 0
  let hasFailed = false
  return async error => {
    const isFailure = error !== undefined
    if (monotonicMs() < nextRecordMs && isFailure === hasFailed) return
    nextRecordMs = monotonicMs() + recordMs
    hasFailed = isFailure
    const text = isFailure ? (error instanceof Error ? error.message : String(error)).slice(0, 300) : null
    await crossTenant
      .rows(upsertRun, { name, error: text })
      .catch(err => log.warn({ err, job: name }, 'the run of a job could not be recorded'))
  }
}
