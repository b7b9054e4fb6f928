import type { Recovery } from '#contract/integrations/recoveries.ts'
import type { RecoveryRow } from './redelivery.sql.ts'

/** Shows recoveries. All waiting deliveries belong to the newest. */
export function showRecoveries(rows: readonly RecoveryRow[], waiting: number): Recovery[] {
  return rows.map((row, at) => showRecovery(row, at === 0 ? waiting : 0))
}

export function showRecovery({ statusBefore: _, ...row }: RecoveryRow, waiting: number): Recovery {
  const state = row.cancelledAt !== null ? 'CANCELLED' : waiting > 0 ? 'RUNNING' : 'DONE'
  return { ...row, waiting, state }
}
