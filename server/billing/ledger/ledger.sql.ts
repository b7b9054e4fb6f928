import type { LedgerEntry } from '#contract/billing/ledger.ts'
import { limits } from '#contract/limits.ts'
import type { GatewayDispute } from '#platform/adapters/gateway.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

// index ledger_of
const select = sql<LedgerEntry, { invoiceId: string }>(`
  select l.id, l.kind, l.amount_cents as "amountCents", l.currency, l.payment_id as "paymentId",
    l.gateway_object_id as "gatewayObjectId", l.at
  from ledger_entry l where l.organization_id = $organization and l.invoice_id = $invoiceId
  order by l.at, l.id limit ${limits.ledgerShown}`)
// index ledger_of
const sum = sql<{ cents: number }, { invoiceId: string }>(`
  select coalesce(sum(l.amount_cents), 0)::bigint as cents from ledger_entry l
  where l.organization_id = $organization and l.invoice_id = $invoiceId`)

/** The ledger entries of an invoice, the oldest first, with their total. */
export async function readLedger(
  db: Db,
  invoiceId: string,
): Promise<{ items: LedgerEntry[]; balanceCents: number }> {
  const [items, total] = await Promise.all([db.rows(select, { invoiceId }), db.one(sum, { invoiceId })])
  return { items, balanceCents: total.cents }
}

type Dispute = { id: string; paymentId: string; cents: number; disputeId: string }
// index ledger_of
const enterDispute = sql<{ id: string }, Dispute>(`
  insert into ledger_entry (organization_id, id, invoice_id, kind, amount_cents, currency, payment_id, gateway_account_id,
    gateway_object_id)
  select $organization, $id, m.invoice_id, 'DISPUTE', $cents, m.currency, m.id, m.gateway_account_id, $disputeId
  from payment m where m.organization_id = $organization and m.id = $paymentId and not exists (
    select 1 from ledger_entry l where l.organization_id = $organization and l.invoice_id = m.invoice_id
      and l.kind = 'DISPUTE'
      and l.gateway_object_id = $disputeId and sign(l.amount_cents) = sign($cents::bigint))
  returning id`)
// an entry that returned the money ends a dispute, even if an older notice still reports it as open
const dispute = sql<never, { paymentId: string; holding: string[] }>(`
  update payment m set is_disputed = not m.is_disputed
  where m.organization_id = $organization and m.id = $paymentId and m.is_disputed <> (
    coalesce((select sum(l.amount_cents) < 0 from ledger_entry l
      where l.organization_id = $organization and l.invoice_id = m.invoice_id and l.payment_id = m.id
        and l.kind = 'DISPUTE'), false)
    or exists (select from unnest($holding::text[]) h(id) where not exists (select from ledger_entry l
      where l.organization_id = $organization and l.invoice_id = m.invoice_id and l.kind = 'DISPUTE'
        and l.gateway_object_id = h.id
        and l.amount_cents > 0)))`)

/**
 * Enters what disputes took from a payment or returned to it: each dispute once in each direction. The transaction
 * must have locked the invoice. The payment is disputed while more was taken than returned, or while an open
 * dispute prevents refunds. Returns true when anything is new.
 */
export async function bookDisputes(
  tx: Tx,
  paymentId: string,
  disputes: readonly GatewayDispute[],
): Promise<boolean> {
  const moved = disputes.flatMap(({ id, movedCents }) => movedCents.map(cents => ({ id, cents })))
  const entered = await Promise.all(
    moved.map(({ id, cents }) => tx.first(enterDispute, { id: newId(), paymentId, cents, disputeId: id })),
  )
  const holding = disputes.filter(({ holdsRefunds }) => holdsRefunds).map(({ id }) => id)
  const changed = await tx.run(dispute, { paymentId, holding })
  return changed > 0 || entered.some(entry => entry !== undefined)
}
