import type { historyActions } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** The JSON that toSampleJson wrote. */
type StoredReport = {
  message: string
  severity: string
  stack: string | null
  file: string | null
  line: number | null
  function: string | null
  endpoint: string | null
  method: string | null
  userId: string | null
  requestId: string | null
  context: Record<string, unknown> | null
}
export type SampleRow = { kind: 'FIRST' | 'RECENT' | 'REGRESSION'; occurred_at: string; report: StoredReport }
export type HistoryRow = {
  action: (typeof historyActions)[number]
  actor_id: string | null
  actor_name: string | null
  at: string
  note: string | null
}

const selectSamples = sql<SampleRow, { errorId: string }>(`
  select s.kind, s.occurred_at, s.report from error_sample s
  where s.organization_id = $organization and s.error_id = $errorId order by s.occurred_at desc, s.slot`)
// the current or last hour is stored in the group itself
const selectHours = sql<{ hour: string; count: number }, { errorId: string }>(`
  select h.hour, h.count from error_hour h
  where h.organization_id = $organization and h.error_id = $errorId
    and h.hour > clock_timestamp() - interval '7 days'
  union all
  select g.hour_at, g.hour_count from error_group g
  where g.organization_id = $organization and g.id = $errorId
    and g.hour_at > clock_timestamp() - interval '7 days' order by 1`)
const selectHistory = sql<HistoryRow, { errorId: string; limit: number }>(`
  select y.action, y.actor_id, m.name as actor_name, y.at, y.note from error_history y
  left join membership m on m.organization_id = $organization and m.person_id = y.actor_id
  where y.organization_id = $organization and y.error_id = $errorId order by y.id desc limit $limit`)

/** The samples, the hourly counts of a week and the history of an error, latest first. */
export async function detailsOf(db: Db, errorId: string) {
  const [samples, hours, history] = await Promise.all([
    db.rows(selectSamples, { errorId }),
    db.rows(selectHours, { errorId }),
    db.rows(selectHistory, { errorId, limit: limits.errorHistory }),
  ])
  return { samples, hours, history }
}
