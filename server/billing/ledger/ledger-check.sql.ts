import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

// index ledger_of: the entries are read once, in the order of the invoices
const disagreeing = sql<{ id: string }>(`
  with entry as (
    select l.payment_id, sum(l.amount_cents) filter (where l.kind in ('PAYMENT', 'PAYMENT_REVERSAL')) as collected,
      sum(l.amount_cents) filter (where l.kind in ('REFUND', 'REVERSAL')) as returned
    from ledger_entry l where l.organization_id = $organization group by l.payment_id
  ), of_invoice as (
    select m.invoice_id, coalesce(sum(m.amount_cents) filter (where m.reversed_at is null), 0) as paid,
      bool_and(coalesce(e.collected, 0) = case when m.reversed_at is null then m.amount_cents else 0 end
        and coalesce(e.returned, 0) = -m.refunded_cents) as agrees
    from payment m left join entry e on e.payment_id = m.id
    where m.organization_id = $organization group by m.invoice_id
  )
  select i.id from invoice i left join of_invoice o on o.invoice_id = i.id
  where i.organization_id = $organization and (i.paid_cents <> coalesce(o.paid, 0) or not coalesce(o.agrees, true))
  limit 20`)

/**
 * Up to 20 invoices whose payments do not agree with the ledger: each payment has an entry of its amount, or none left if it was
 * reversed; refunds have entries of what was refunded; and the invoice counts the payments that are not reversed.
 */
export async function invoicesWithOtherLedger(db: Db): Promise<string[]> {
  return (await db.rows(disagreeing)).map(({ id }) => id)
}
