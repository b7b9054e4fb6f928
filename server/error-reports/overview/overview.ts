import { readErrorTab, updateErrorSettings } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import { command, query } from '#platform/http/operation.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { showStatistics } from '../groups/error-group.json.ts'
import { statisticsOf } from '../groups/error-group.sql.ts'
import { type ErrorSettingsRow, intakeHours, setSettings, settingsOf } from './overview.sql.ts'

export const read = query(readErrorTab, async ({ db, params: { id }, query }) => {
  const [, statistics, settings, hours] = await Promise.all([
    applicationFor(db, id),
    statisticsOf(db, id, limits.topErrors),
    settingsOf(db, id),
    intakeHours(db, id, query.hours ?? 24),
  ])
  return {
    statistics: showStatistics(statistics.counts, statistics.topErrors),
    hours: hours.map(({ new_errors: newErrors, ...hour }) => ({ ...hour, newErrors })),
    settings: showSettings(settings),
  }
})

export const update = command(updateErrorSettings, async ({ tx, params, body, audit }) => {
  const { ticketOnRegression = null, resolveWithTicket = null } = body
  await applicationFor(tx, params.id)
  audit(params.id, Object.keys(body))
  return showSettings(await setSettings(tx, params.id, ticketOnRegression, resolveWithTicket))
})

function showSettings(row: ErrorSettingsRow) {
  return { ticketOnRegression: row.ticket_on_regression, resolveWithTicket: row.resolve_with_ticket }
}
