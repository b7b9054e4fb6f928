import type { ErrorStatistics } from '#contract/error-reports/errors.ts'
import type { ErrorGroup } from '#contract/error-reports/tab.ts'
import type { ErrorGroupRow } from './error-group.access.ts'
import type { ErrorGroupCountRow, TopErrorRow } from './error-group.sql.ts'

/** An error, as its application reads it (ERR-14). */
export function showErrorRecord(row: ErrorGroupRow) {
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

/** An error, as the team sees it. */
export function showGroup(row: ErrorGroupRow): ErrorGroup {
  return {
    ...showErrorRecord(row),
    applicationId: row.application_id,
    fingerprintVersion: row.fingerprint_version,
    function: row.function,
    method: row.method,
    usersAffected: row.users_affected,
    resolvedBy: row.resolved_by === null ? null : { id: row.resolved_by, name: row.resolver_name ?? '' },
    silencedAt: row.silenced_at,
    silencedUntil: row.silenced_until,
    silence: row.silence_type,
    silencedForCount: row.silenced_for_count,
    regressionCount: row.regression_count,
    isOverflow: row.is_overflow,
    ticketId: row.ticket_id,
  }
}

/** Counts errors, not occurrences (ERR-17). */
export function showStatistics(
  counts: readonly ErrorGroupCountRow[],
  topErrors: TopErrorRow[],
): ErrorStatistics {
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0 }
  const byState = { UNRESOLVED: 0, RESOLVED: 0, SILENCED: 0 }
  const byModule = new Map<string, number>()
  for (const { module, severity, state, count } of counts) {
    bySeverity[severity] += count
    byState[state] += count
    byModule.set(module, (byModule.get(module) ?? 0) + count)
  }
  const total = byState.UNRESOLVED + byState.RESOLVED + byState.SILENCED
  return {
    total,
    unresolved: byState.UNRESOLVED,
    resolved: byState.RESOLVED,
    silenced: byState.SILENCED,
    bySeverity,
    // a module may have the name of an object property such as `constructor`
    byModule: Object.fromEntries(byModule),
    topErrors,
  }
}
