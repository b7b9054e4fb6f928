import type { ErrorStatistics } from '#contract/error-reports/errors.ts'
import type { ErrorGroup } from '#contract/error-reports/tab.ts'
import type { ShownRow } from './error-group.access.ts'
import type { TallyRow, TopRow } from './error-group.sql.ts'

/** An error as its application lists it (ERR-14). */
export function showRecord(row: ShownRow) {
  return {
    id: row.id,
    hash: row.hash,
    message: row.message,
    module: row.module,
    severity: row.severity,
    file: row.file,
    line: row.line,
    endpoint: row.endpoint,
    count: row.count,
    firstOccurrence: row.first_occurrence,
    lastOccurrence: row.last_occurrence,
    resolved: row.state === 'RESOLVED',
    resolvedAt: row.resolved_at,
    state: row.state,
  }
}

/** An error as the team sees it. */
export function showGroup(row: ShownRow): ErrorGroup {
  return {
    ...showRecord(row),
    applicationId: row.application_id,
    fingerprintVersion: row.fingerprint_version,
    function: row.function,
    method: row.method,
    usersAffected: row.users_affected,
    resolvedBy: row.resolved_by === null ? null : { id: row.resolved_by, name: row.resolver_name ?? '' },
    silencedAt: row.silenced_at,
    silencedUntil: row.silenced_until,
    silence: row.silence,
    silencedForCount: row.silenced_for,
    regressionCount: row.regression_count,
    isOverflow: row.is_overflow,
    ticketId: row.ticket_id,
  }
}

/** Counts errors, not occurrences (ERR-17). */
export function showStatistics(tally: readonly TallyRow[], topErrors: TopRow[]): ErrorStatistics {
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0 }
  const byState = { UNRESOLVED: 0, RESOLVED: 0, SILENCED: 0 }
  const byModule = new Map<string, number>()
  for (const { module, severity, state, n } of tally) {
    bySeverity[severity] += n
    byState[state] += n
    byModule.set(module, (byModule.get(module) ?? 0) + n)
  }
  const total = byState.UNRESOLVED + byState.RESOLVED + byState.SILENCED
  return {
    total,
    unresolved: byState.UNRESOLVED,
    resolved: byState.RESOLVED,
    silenced: byState.SILENCED,
    bySeverity,
    // a module may be called like something that every object has
    byModule: Object.fromEntries(byModule),
    topErrors,
  }
}
