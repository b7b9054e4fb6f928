import type { regressionTickets } from '#contract/error-reports/tab.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type ErrorSettingsRow = {
  ticket_on_regression: (typeof regressionTickets)[number]
  resolve_with_ticket: boolean
}
const columns = 'ticket_on_regression, resolve_with_ticket'
const selectSettings = sql<ErrorSettingsRow, { applicationId: string }>(
  `select ${columns} from error_source where organization_id = $organization and application_id = $applicationId`,
)

/** The settings of an application, or the defaults. */
export async function settingsOf(db: Db, applicationId: string): Promise<ErrorSettingsRow> {
  const row = await db.first(selectSettings, { applicationId })
  return row ?? { ticket_on_regression: 'REOPEN', resolve_with_ticket: false }
}

const setRow = sql<
  ErrorSettingsRow,
  {
    applicationId: string
    onRegression: ErrorSettingsRow['ticket_on_regression'] | null
    resolves: boolean | null
  }
>(`
  insert into error_source as s (organization_id, application_id, ticket_on_regression, resolve_with_ticket)
  values ($organization, $applicationId, coalesce($onRegression, 'REOPEN'), coalesce($resolves::boolean, false))
  on conflict (organization_id, application_id) do update set
    ticket_on_regression = coalesce($onRegression, s.ticket_on_regression),
    resolve_with_ticket = coalesce($resolves::boolean, s.resolve_with_ticket)
  returning ${columns}`)

/** Null leaves a setting unchanged. */
export function setSettings(
  tx: Tx,
  applicationId: string,
  onRegression: ErrorSettingsRow['ticket_on_regression'] | null,
  resolves: boolean | null,
): Promise<ErrorSettingsRow> {
  return tx.one(setRow, { applicationId, onRegression, resolves })
}

export type IntakeHourRow = {
  hour: string
  accepted: number
  discarded: number
  limited: number
  new_errors: number
}
const selectIntake = sql<IntakeHourRow, { applicationId: string; hours: number }>(`
  select i.hour, i.accepted, i.discarded, i.limited, i.new_errors from error_intake i
  where i.organization_id = $organization and i.application_id = $applicationId
    and i.hour > clock_timestamp() - make_interval(hours => $hours::int) order by i.hour`)

/** Report counts of the last hours. */
export function intakeHours(db: Db, applicationId: string, hours: number): Promise<IntakeHourRow[]> {
  return db.rows(selectIntake, { applicationId, hours })
}
