import type { ReportRow } from './report.sql.ts'

/** A report as operators see it. */
export function showReport(row: ReportRow) {
  return {
    id: row.id,
    entryId: row.entry_id,
    entryName: row.entry_name,
    reason: row.reason,
    status: row.status,
    note: row.note,
    createdAt: row.created_at,
    settledAt: row.decided_at,
  }
}
