import type { Tx } from '#platform/data/db.ts'
import { recordOf } from '#platform/data/record-of.ts'
import { sql } from '#platform/data/statement.ts'
import { lookUp } from '#platform/required.ts'
import { type InvoiceRow, type IssuedInvoice, invoiceColumns } from './invoice.row.ts'

const sequences = sql<{ id: string; notice_sequence: number }, { ids: string[] }>(`
  update invoice i set notice_sequence = i.notice_sequence + 1
  where i.organization_id = $organization and i.id = any($ids)
  returning i.id, i.notice_sequence`)

/** The sequence numbers of the next events, by invoice. The transaction must have locked the invoices. */
export async function nextSequences(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows(sequences, { ids: [...ids] })
  return new Map(rows.map(({ id, notice_sequence }) => [id, notice_sequence]))
}

/** The same of one invoice. */
export async function nextSequence(tx: Tx, id: string): Promise<number> {
  return lookUp(await nextSequences(tx, [id]), id)
}

/** The columns that a draft may change. */
const draftColumns = {
  client_id: 'text',
  rectifying_reason: 'text',
  due_date: 'date',
  currency: 'text',
  lines: 'jsonb',
  taxes: 'jsonb',
  subtotal_cents: 'bigint',
  tax_cents: 'bigint',
  total_cents: 'bigint',
  is_subscription: 'boolean',
  notes: 'text',
  internal_notes: 'text',
} as const
export type Draft = Pick<InvoiceRow, keyof typeof draftColumns>
/** The columns that are set once, at creation. */
const creationColumns = {
  application_id: 'text',
  external_user_id: 'text',
  is_rectifying: 'boolean',
  created_by: 'text',
  rectifies_invoice_id: 'text',
  budget_id: 'text',
} as const
export type NewDraft = Draft & Pick<InvoiceRow, 'id' | keyof typeof creationColumns>

const givenDraft = (columns: object) =>
  recordOf(
    '$draft',
    `id text, ${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')}`,
  )
const returningInvoice = (change: string) => `
  with changed as (${change} returning i.*)
  select ${invoiceColumns} from changed i join crm_client c on c.organization_id = $organization
    and c.id = i.client_id`
const [draftNames, allNames] = [draftColumns, { ...draftColumns, ...creationColumns }].map(Object.keys) as [
  string[],
  string[],
]
const insert = sql<InvoiceRow, { draft: string }>(
  returningInvoice(`insert into invoice as i (organization_id, id, lifecycle, ${allNames.join(', ')})
    select $organization, r.id, 'DRAFT', ${allNames.map(name => `r.${name}`).join(', ')}
    from ${givenDraft({ ...draftColumns, ...creationColumns })}`),
)
const update = sql<InvoiceRow, { draft: string }>(
  returningInvoice(`update invoice i
    set ${draftNames.map(name => `${name} = r.${name}`).join(', ')}, updated_at = now()
    from ${givenDraft(draftColumns)} where i.organization_id = $organization and i.id = r.id`),
)
const remove = sql<never, { id: string }>(
  `delete from invoice i where i.organization_id = $organization and i.id = $id and i.lifecycle = 'DRAFT'`,
)
// index refund_rectified
const clearRefundReference = sql<never, { id: string }>(`
  update refund r set rectifying_invoice_id = null
  where r.organization_id = $organization and r.rectifying_invoice_id = $id`)

export function insertDraft(tx: Tx, draft: NewDraft): Promise<InvoiceRow> {
  return tx.one(insert, { draft: JSON.stringify(draft) })
}

/** The transaction must have locked the invoice. */
export function setDraft(tx: Tx, draft: Draft & { id: string }): Promise<InvoiceRow> {
  return tx.one(update, { draft: JSON.stringify(draft) })
}

/** Deletes a locked draft and clears the reference of the refund that it was drafted for. */
export async function removeDraft(tx: Tx, id: string): Promise<void> {
  await Promise.all([tx.run(clearRefundReference, { id }), tx.run(remove, { id })])
}

type NumberValues = { series: string; prefix: string; isRectifying: boolean; date: string }
// locked until the transaction ends: a second caller waits, and a number that was not used is used again
const claim = sql<{ last: number; last_date: string }, NumberValues>(`
  insert into invoice_counter as n (organization_id, series, prefix, is_rectifying, last, last_date)
  values ($organization, $series, $prefix, $isRectifying, 1, $date::date)
  on conflict (organization_id, series) do update
    set last = n.last + 1, last_date = greatest(n.last_date, excluded.last_date)
    where n.organization_id = $organization and n.is_rectifying = excluded.is_rectifying
  returning n.last, n.last_date`)

/** Claims the next number of a series. Returns it with the latest date in the series, which includes the given one. */
export function claimNumber(
  tx: Tx,
  {
    series,
    prefix,
    isRectifying,
    date,
  }: { series: string; prefix: string; isRectifying: boolean; date: string },
): Promise<{ last: number; last_date: string }> {
  return tx.one(claim, { series, prefix, isRectifying, date })
}

type IssueValues = {
  id: string
  series: string
  number: string
  date: string
  dueDate: string
  issuer: string
  recipient: string
  taxQrUrl: string | null
  letterhead: string
  taxRecordMode: 'KEEP' | 'SEND' | null
}
const issue = sql<IssuedInvoice, IssueValues>(
  returningInvoice(`update invoice i set lifecycle = 'ISSUED', series = $series, number = $number,
      issue_date = $date::date, due_date = $dueDate::date,
      issuer = $issuer::jsonb, recipient = $recipient::jsonb, tax_qr_url = $taxQrUrl,
      letterhead = $letterhead::jsonb, tax_record_mode = $taxRecordMode, issued_at = now(), updated_at = now()
    where i.organization_id = $organization and i.id = $id`),
)
export type IssuedFields = Required<{
  [Name in
    | 'series'
    | 'number'
    | 'issue_date'
    | 'due_date'
    | 'issuer'
    | 'recipient'
    | 'letterhead']: NonNullable<InvoiceRow[Name]>
}> &
  Pick<InvoiceRow, 'tax_qr_url' | 'tax_record_mode'>

/** The draft must be locked. */
export function setIssued(tx: Tx, id: string, as: IssuedFields): Promise<IssuedInvoice> {
  return tx.one(issue, {
    id,
    series: as.series,
    number: as.number,
    date: as.issue_date,
    dueDate: as.due_date,
    issuer: JSON.stringify(as.issuer),
    recipient: JSON.stringify(as.recipient),
    taxQrUrl: as.tax_qr_url,
    letterhead: JSON.stringify(as.letterhead),
    taxRecordMode: as.tax_record_mode,
  })
}

const voided = sql<IssuedInvoice & { voided_at: string }, { id: string }>(
  returningInvoice(`update invoice i set lifecycle = 'VOIDED', voided_at = now(), updated_at = now(),
    overpaid_cents = i.paid_cents
    where i.organization_id = $organization and i.id = $id`),
)
// indexes invoice_rectified and refund_rectified; computed from the rectifying invoices, so that nothing has to be
// undone
const rectify = sql<InvoiceRow, { id: string }>(
  returningInvoice(`update invoice i set rectified_cents = n.taken, refund_rectified_cents = n.of_refunds,
    updated_at = now(), overpaid_cents = greatest(i.paid_cents - (i.total_cents - n.taken), 0)
  from (
    select coalesce(sum(-r.total_cents), 0) as taken,
      coalesce(sum(least(-r.total_cents, f.amount_cents)), 0) as of_refunds
    from invoice r
    left join refund f on f.organization_id = $organization and f.rectifying_invoice_id = r.id
    where r.organization_id = $organization and r.rectifies_invoice_id = $id and r.lifecycle = 'ISSUED'
      and r.total_cents < 0) n
  where i.organization_id = $organization and i.id = $id`),
)
const endLinks = sql<never, { invoiceId: string }>(`
  update invoice_link l set revoked_at = now()
  where l.organization_id = $organization and l.invoice_id = $invoiceId and l.revoked_at is null`)

/** Voids a locked invoice and revokes its links. */
export async function setVoided(tx: Tx, id: string): Promise<IssuedInvoice & { voided_at: string }> {
  const [row] = await Promise.all([tx.one(voided, { id }), tx.run(endLinks, { invoiceId: id })])
  return row
}

/** Recomputes the rectified total of a locked invoice. */
export function recountRectified(tx: Tx, id: string): Promise<InvoiceRow> {
  return tx.one(rectify, { id })
}

const updateBudget = sql<InvoiceRow, { id: string; budgetId: string | null }>(
  returningInvoice(`update invoice i set budget_id = $budgetId, updated_at = now()
    where i.organization_id = $organization and i.id = $id`),
)

/** Links a locked invoice to the budget that it bills; null removes the link. */
export function setBudgetOfInvoice(tx: Tx, id: string, budgetId: string | null): Promise<InvoiceRow> {
  return tx.one(updateBudget, { id, budgetId })
}

const note = sql<never, { id: string; text: string }>(`
  update invoice i set internal_notes = coalesce(i.internal_notes || E'\\n', '') || $text
  where i.organization_id = $organization and i.id = $id`)

/** Appends a line to the internal notes. */
export async function appendNote(tx: Tx, id: string, text: string): Promise<void> {
  await tx.run(note, { id, text })
}
