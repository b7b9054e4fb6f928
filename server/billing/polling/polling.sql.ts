import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, oneServerLock } from '#platform/data/statement.ts'

/** The tables whose rows are polled. */
export type PolledTable = 'charge_attempt' | 'refund_part' | 'payment_method'
export type DueRow = { organization_id: string; id: string; state: string }

/**
 * The lease on a claimed row. A row whose process was killed is not polled for this time. A poll that takes longer
 * does no harm; the lease is about as long as the gateway calls of one poll may take.
 */
const leaseSeconds: Record<PolledTable, number> = { charge_attempt: 60, refund_part: 45, payment_method: 60 }

// index charge_attempt_poll, index refund_part_poll, index payment_method_poll
const claimFrom = (table: PolledTable, state = 'state') =>
  crossTenantSql<DueRow, { most: number }>(
    'pollers serve every organization',
    `update ${table} t set poll_count = t.poll_count + 1, next_poll_at = now() + interval '${leaseSeconds[table]} seconds'
     from (select organization_id, id from ${table} where next_poll_at <= now() order by next_poll_at limit $most
           ${oneServerLock('for no key update skip locked')}) due
     where t.organization_id = due.organization_id and t.id = due.id and t.next_poll_at <= now()
     returning t.organization_id, t.id, t.${state} as state`,
  )
const claim = {
  charge_attempt: claimFrom('charge_attempt'),
  refund_part: claimFrom('refund_part'),
  payment_method: claimFrom('payment_method', 'status'),
}

/** Claims rows that are due, up to `most`. */
export function claimDue(database: Database, table: PolledTable, most: number): Promise<DueRow[]> {
  return database.transactCrossTenant(tx => tx.rows(claim[table], { most }))
}
