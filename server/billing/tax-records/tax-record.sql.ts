import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type TaxRecordRow, taxRecordColumns } from './tax-record.row.ts'

/** The end of a chain, and the time of the next record: not before that of the last one. */
export type ChainHead = {
  last_number: number
  last_invoice_number: string | null
  last_issue_date: string | null
  last_hash: string | null
  moment: string
}
// the lock lasts until the transaction ends: records are generated one after another
const lockHead = sql<ChainHead, { issuerNif: string }>(`
  with head as (
    insert into tax_record_chain as c (organization_id, issuer_nif) values ($organization, $issuerNif)
    on conflict (organization_id, issuer_nif) do update set last_number = c.last_number
    where c.organization_id = $organization
    returning c.last_number, c.last_invoice_number, c.last_issue_date, c.last_hash, c.last_created_at)
  select h.last_number, h.last_invoice_number, h.last_issue_date, h.last_hash,
    greatest(clock_timestamp()::timestamptz(3), h.last_created_at) as moment from head h`)

/** Locks the end of a chain, which is created if it is missing. Lock it after all other rows. */
export function lockChainHead(tx: Tx, issuerNif: string): Promise<ChainHead> {
  return tx.one(lockHead, { issuerNif })
}

export type NewTaxRecord = Pick<
  TaxRecordRow,
  | 'issuer_nif'
  | 'number'
  | 'invoice_id'
  | 'kind'
  | 'invoice_number'
  | 'issue_date'
  | 'content'
  | 'generation_time'
  | 'previous_invoice_number'
  | 'previous_issue_date'
  | 'previous_hash'
  | 'hash'
> & { created_at: string }
// the settings are read behind the lock of the chain: see setTaxRecordOptions
const insert = sql<never, { record: string }>(`
  with r as (
    select * from jsonb_to_record($record::jsonb) as r(issuer_nif text, number bigint, invoice_id text, kind text,
      invoice_number text, issue_date date, content jsonb, generation_time text, previous_invoice_number text,
      previous_issue_date date, previous_hash text, hash text, created_at timestamptz)),
  head as (
    update tax_record_chain c set last_number = r.number, last_invoice_number = r.invoice_number,
      last_issue_date = r.issue_date, last_hash = r.hash, last_created_at = r.created_at,
      next_send_at = case when s.tax_record_mode = 'SEND'
        then coalesce(c.next_send_at, greatest(now(), c.wait_until)) end
    from r join billing_settings s on s.organization_id = $organization
    where c.organization_id = $organization and c.issuer_nif = r.issuer_nif)
  insert into tax_record (organization_id, issuer_nif, number, invoice_id, kind, invoice_number, issue_date, content,
    generation_time, previous_invoice_number, previous_issue_date, previous_hash, hash, created_at)
  select $organization, r.issuer_nif, r.number, r.invoice_id, r.kind, r.invoice_number, r.issue_date,
    r.content, r.generation_time,
    r.previous_invoice_number, r.previous_issue_date, r.previous_hash, r.hash, r.created_at from r`)

/** Appends a record to its locked chain. */
export async function insertTaxRecord(tx: Tx, record: NewTaxRecord): Promise<void> {
  await tx.run(insert, { record: JSON.stringify(record) })
}

const ofInvoice = sql<TaxRecordRow, { invoiceId: string }>(`
  select ${taxRecordColumns} from tax_record r
  where r.organization_id = $organization and r.invoice_id = $invoiceId order by r.number`)

/** The records of an invoice, the oldest first: its registration and its cancellation. */
export function taxRecordsOf(db: Db, invoiceId: string): Promise<TaxRecordRow[]> {
  return db.rows(ofInvoice, { invoiceId })
}

const chainPart = sql<TaxRecordRow, { issuerNif: string; after: number; limit: number }>(`
  select ${taxRecordColumns} from tax_record r
  where r.organization_id = $organization and r.issuer_nif = $issuerNif and r.number > $after
  order by r.number limit $limit`)

/** Records of a chain after a position, in order. */
export function recordsAfter(
  db: Db,
  issuerNif: string,
  after: number,
  limit = limits.taxRecordsPerDocument,
): Promise<TaxRecordRow[]> {
  return db.rows(chainPart, { issuerNif, after, limit })
}

// index tax_record_by_time: the days of Spain
const byTime = sql<
  TaxRecordRow,
  { from: string; to: string; issuerNif: string; after: number; limit: number }
>(`
  select ${taxRecordColumns} from tax_record r
  where r.organization_id = $organization and r.created_at >= $from::date::timestamp at time zone 'Europe/Madrid'
    and r.created_at < ($to::date + 1)::timestamp at time zone 'Europe/Madrid'
    and (r.issuer_nif, r.number) > ($issuerNif, $after::bigint)
  order by r.issuer_nif, r.number limit $limit`)

/** Records that were generated on these days, by chain and number, after a position. */
export function recordsBetween(
  db: Db,
  { from, to }: { from: string; to: string },
  after: Pick<TaxRecordRow, 'issuer_nif' | 'number'>,
): Promise<TaxRecordRow[]> {
  return db.rows(byTime, {
    from,
    to,
    issuerNif: after.issuer_nif,
    after: after.number,
    limit: limits.taxRecordsPerDocument,
  })
}

export type ChainRow = {
  issuer_nif: string
  last_number: number
  last_hash: string | null
  answered_through: number
  accepted_count: number
  accepted_with_errors_count: number
  rejected_count: number
  next_send_at: string | null
  last_attempt_at: string | null
  last_failure: string | null
}
const selectChains = sql<ChainRow>(`
  select c.issuer_nif, c.last_number, c.last_hash, c.answered_through, c.accepted_count, c.accepted_with_errors_count,
    c.rejected_count, c.next_send_at, c.last_attempt_at, c.last_failure
  from tax_record_chain c where c.organization_id = $organization
  order by c.last_attempt_at desc nulls last, c.issuer_nif`)

/** The chains of the organization: one for each NIF that it issued invoices with. */
export function listChains(db: Db): Promise<ChainRow[]> {
  return db.rows(selectChains)
}

// index tax_record_problem
const selectProblems = sql<TaxRecordRow>(`
  select ${taxRecordColumns} from tax_record r
  where r.organization_id = $organization and r.state in ('ACCEPTED_WITH_ERRORS', 'REJECTED')
  order by r.answered_at desc, r.issuer_nif desc, r.number desc limit ${limits.taxRecordProblemsShown}`)

/** The records that the tax office rejected or accepted with errors, the newest first. */
export function listProblems(db: Db): Promise<TaxRecordRow[]> {
  return db.rows(selectProblems)
}
