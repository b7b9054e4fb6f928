import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'

/** What is looked at again and again until it has ended, by the name of its table. */
export type Looked = 'charge_attempt' | 'refund_part' | 'payment_method'
export type Due = { organization_id: string; id: string; state: string }

/**
 * How long whoever takes a row is alone with it. A process that is killed during its look keeps others away for so long, and a
 * look that takes longer does no harm: it is about as long as the gateway may take for the questions of one look.
 */
const aloneSeconds: Record<Looked, number> = { charge_attempt: 60, refund_part: 45, payment_method: 60 }

// index charge_attempt_look, index refund_part_look, index payment_method_look
const takeOf = (table: Looked, state = 'state') =>
  crossTenantSql<Due, [most: number]>(
    'recovery looks after every organization',
    `update ${table} t set looks = t.looks + 1, look_at = now() + interval '${aloneSeconds[table]} seconds'
     from (select organization_id, id from ${table} where look_at <= now() order by look_at limit $1
           for no key update skip locked) due
     where t.organization_id = due.organization_id and t.id = due.id
     returning t.organization_id, t.id, t.${state} as state`,
  )
const take = {
  charge_attempt: takeOf('charge_attempt'),
  refund_part: takeOf('refund_part'),
  payment_method: takeOf('payment_method', 'status'),
}

/** Takes so many of what is due to be looked at, each for whoever takes it alone. */
export function takeDue(database: Database, table: Looked, most: number): Promise<Due[]> {
  return database.transactWide(tx => tx.rows(take[table], most))
}
