import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { recordOf } from '#platform/data/record-of.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { InvoiceDeliveryRow } from './sending.row.ts'

const columns = [
  'id',
  'invoice_id',
  'application_id',
  'fingerprint',
  'slot_at',
  'state',
  'recipients',
  'copies',
  'refused',
  'message_id',
  'server_reply',
  'created_by',
  'created_at',
  'ended_at',
]
  .map(name => `d.${name}`)
  .concat('extract(epoch from now() - d.created_at)::int as age_seconds')
  .join(', ')

const select = sql<InvoiceDeliveryRow, { id: string }>(
  `select ${columns} from invoice_delivery d where d.organization_id = $organization and d.id = $id`,
)
// index invoice_delivery_of
const list = sql<InvoiceDeliveryRow, { invoiceId: string }>(`
  select ${columns} from invoice_delivery d where d.organization_id = $organization and d.invoice_id = $invoiceId
  order by d.created_at desc, d.id desc limit ${limits.invoiceDeliveriesShown}`)
const sender = 'coalesce(d.application_id, d.created_by)'
const keyed = `d.organization_id = $organization and ${sender} = $senderId and d.idempotency_key = $key`
const hasEnded = `d.created_at < now() - interval '${limits.idempotencyHours} hours'`
// index invoice_delivery_key
const byKey = sql<InvoiceDeliveryRow, { senderId: string; key: string }>(
  `select ${columns} from invoice_delivery d where ${keyed}`,
)
const freeKey = sql<never, { senderId: string; key: string }>(
  `update invoice_delivery d set idempotency_key = null where ${keyed} and ${hasEnded}`,
)
// index invoice_delivery_same
const lastSame = sql<InvoiceDeliveryRow, { invoiceId: string; fingerprint: string }>(`
  select ${columns} from invoice_delivery d
  where d.organization_id = $organization and d.invoice_id = $invoiceId and d.fingerprint = $fingerprint
    and d.state <> 'REFUSED'
  order by d.created_at desc, d.id desc limit 1`)
const columnTypes = {
  id: 'text',
  invoice_id: 'text',
  application_id: 'text',
  idempotency_key: 'text',
  fingerprint: 'text',
  slot_at: 'timestamptz',
  recipients: 'text[]',
  copies: 'text[]',
  message_id: 'text',
  created_by: 'text',
}
const names = Object.keys(columnTypes)
const typed = Object.entries(columnTypes).map(column => column.join(' '))
const insert = sql<InvoiceDeliveryRow, { row: string }>(`
  with inserted as (
  insert into invoice_delivery as d (organization_id, state, ${names.join(', ')})
  select $organization, 'SENDING', ${names.map(name => `r.${name}`).join(', ')}
  from ${recordOf('$row', typed.join(', '))}
  on conflict (organization_id, coalesce(application_id, created_by), idempotency_key)
  where idempotency_key is not null do nothing
  returning d.*)
  select ${columns} from inserted d`)
const end = sql<InvoiceDeliveryRow, { id: string; state: string; refused: string[]; reply: string | null }>(`
  update invoice_delivery d set state = $state, refused = $refused, server_reply = $reply, ended_at = now(),
    idempotency_key = case when $state = 'SENT' then d.idempotency_key end
  where d.organization_id = $organization and d.id = $id
    and (d.state = 'SENDING' or (d.state = 'UNKNOWN' and $state = 'SENT'))
  returning ${columns}`)
const setSentAt = sql<never, { id: string; sentAt: string }>(`
  update invoice i set sent_at = $sentAt::timestamptz, updated_at = now()
  where i.organization_id = $organization and i.id = $id`)

type DeliveryColumn =
  | 'id'
  | 'invoice_id'
  | 'application_id'
  | 'fingerprint'
  | 'slot_at'
  | 'recipients'
  | 'copies'
export type NewInvoiceDelivery = Pick<InvoiceDeliveryRow, DeliveryColumn | 'message_id' | 'created_by'> & {
  idempotency_key: string | null
}

export function findDelivery(db: Db, id: string): Promise<InvoiceDeliveryRow> {
  return db.one(select, { id })
}

export function listDeliveries(db: Db, invoiceId: string): Promise<InvoiceDeliveryRow[]> {
  return db.rows(list, { invoiceId })
}

/** The delivery of a sender with this key. A key older than a day is freed. */
export async function findByKey(
  tx: Tx,
  senderId: string,
  key: string,
): Promise<InvoiceDeliveryRow | undefined> {
  const [, found] = await Promise.all([
    tx.run(freeKey, { senderId, key }),
    tx.first(byKey, { senderId, key }),
  ])
  return found
}

/** The latest identical delivery that was not refused. */
export function findLastSame(
  tx: Tx,
  invoiceId: string,
  fingerprint: string,
): Promise<InvoiceDeliveryRow | undefined> {
  return tx.first(lastSame, { invoiceId, fingerprint })
}

/** Undefined when the key is in use. */
export function insertDelivery(
  tx: Tx,
  delivery: NewInvoiceDelivery,
): Promise<InvoiceDeliveryRow | undefined> {
  return tx.first(insert, { row: JSON.stringify(delivery) })
}

export type DeliveryResult = Pick<InvoiceDeliveryRow, 'state' | 'refused' | 'server_reply'>

/** Records the result, and frees the key when nothing was sent. Undefined when the result was known already. */
export function setDeliveryResult(
  tx: Tx,
  id: string,
  { state, refused, server_reply }: DeliveryResult,
): Promise<InvoiceDeliveryRow | undefined> {
  return tx.first(end, { id, state, refused, reply: server_reply })
}

/** The invoice must be locked. */
export async function setSent(tx: Tx, invoiceId: string, sentAt: string): Promise<void> {
  await tx.run(setSentAt, { id: invoiceId, sentAt })
}

export type LostDelivery = { organization_id: string; id: string; invoice_id: string }
// index invoice_delivery_sending
const lost = crossTenantSql<LostDelivery, { limit: number }>(
  'the worker ends lost deliveries in all organizations',
  `select d.organization_id, d.id, d.invoice_id from invoice_delivery d
   where d.state = 'SENDING' and d.created_at < now() - interval '${limits.mailGivenSeconds} seconds'
   order by d.created_at limit $limit`,
)

/** Deliveries whose process is certainly gone, the oldest first. */
export function listLostDeliveries(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  limit: number,
): Promise<LostDelivery[]> {
  return crossTenant.rows(lost, { limit })
}
