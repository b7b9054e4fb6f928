import type { SignatureRequest, StopReason } from '#contract/crm/signature-requests.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { SigningLinkRow } from '../signing/signing-link.row.ts'
import {
  allRequestColumns,
  allSignerColumns,
  type RequestSignerRow,
  requestJoin,
  type SignatureRequestRow,
  signerJoins,
} from './signature-request.row.ts'

const insert = sql<
  never,
  { id: string; budgetId: string; documentId: string; linkDays: number; createdBy: string }
>(`
  ${insertInto('signature_request', 'id, budget_id, document_id, link_days, created_by')}`)
const insertSignerRows = sql<never, { requestId: string; signers: string }>(`
  insert into signature_request_signer (organization_id, id, request_id, position, signing_order, name, email)
  select $organization, g.id, $requestId, g.position, g."order", g.name, g.email
  from jsonb_to_recordset($signers::jsonb) as g(id text, position smallint, "order" smallint, name text, email text)`)
// index signature_request_of
const selectAll = sql<SignatureRequestRow, { budgetId: string }>(`
  select ${allRequestColumns} from signature_request q ${requestJoin}
  where q.organization_id = $organization and q.budget_id = $budgetId order by q.created_at desc, q.id desc`)
const select = sql<SignatureRequestRow, { id: string }>(`
  select ${allRequestColumns} from signature_request q ${requestJoin}
  where q.organization_id = $organization and q.id = $id`)
// index signature_request_open
const selectOpen = sql<{ id: string }, { budgetId: string }>(`
  select q.id from signature_request q
  where q.organization_id = $organization and q.budget_id = $budgetId and q.status = 'OPEN'`)
// index signature_request_signer_position
const selectSigners = sql<RequestSignerRow, { requestIds: string[] }>(`
  select ${allSignerColumns} from signature_request_signer g ${signerJoins}
  where g.organization_id = $organization and g.request_id = any($requestIds) order by g.request_id, g.position`)
const updateLink = sql<never, { id: string; linkId: string }>(`
  update signature_request_signer g set link_id = $linkId where g.organization_id = $organization and g.id = $id`)
const updateSignature = sql<never, { id: string; signatureId: string }>(`
  update signature_request_signer g set signature_id = $signatureId
  where g.organization_id = $organization and g.id = $id`)
const updateSigner = sql<never, { id: string; name: string; email: string }>(`
  update signature_request_signer g set name = $name, email = $email
  where g.organization_id = $organization and g.id = $id`)
// index signature_request_open
const end = sql<
  EndedRequest,
  { budgetId: string; status: SignatureRequest['status']; stopReason: StopReason | null }
>(`
  update signature_request q set status = $status, stop_reason = $stopReason, ended_at = now()
  where q.organization_id = $organization and q.budget_id = $budgetId and q.status = 'OPEN'
  returning q.id, q.created_by`)
// index signature_request_signer_email
const selectBudgetsOf = sql<{ budget_id: string }, { addresses: string[] }>(`
  select distinct q.budget_id from signature_request_signer g
  join signature_request q on q.organization_id = $organization and q.id = g.request_id and q.status = 'OPEN'
  where g.organization_id = $organization and lower(g.email) = any($addresses) and g.signature_id is null
  order by q.budget_id`)
// index signature_request_signer_email
const eraseSignerRows = sql<never, { addresses: string[] }>(`
  update signature_request_signer g set name = '', email = ''
  where g.organization_id = $organization and lower(g.email) = any($addresses) and g.signature_id is null`)
// the open requests, which are few: index signature_request_open
const selectExpired = crossTenantSql<ExpiredRequest, { most: number }>(
  'a job of all organizations stops requests whose links have expired',
  `select distinct q.organization_id, q.budget_id from signature_request q
   join signature_request_signer g on g.organization_id = q.organization_id and g.request_id = q.id
     and g.signature_id is null
   join signing_link l on l.organization_id = g.organization_id and l.id = g.link_id and l.expires_at <= now()
   where q.status = 'OPEN' limit $most`,
)
// index signature_request_open
const selectExpiredLink = sql<{ id: string }, { budgetId: string }>(`
  select l.id from signature_request q
  join signature_request_signer g on g.organization_id = $organization and g.request_id = q.id
    and g.signature_id is null
  join signing_link l on l.organization_id = $organization and l.id = g.link_id and l.expires_at <= now()
  where q.organization_id = $organization and q.budget_id = $budgetId and q.status = 'OPEN' limit 1`)

/** A request that this transaction has ended. */
export type EndedRequest = { id: string; created_by: string }
/** The budget of an open request with an expired link. */
export type ExpiredRequest = { organization_id: string; budget_id: string }

export type NewRequest = {
  id: string
  budgetId: string
  documentId: string
  linkDays: number
  createdBy: string
  signers: { id: string; position: number; order: number; name: string; email: string }[]
}

export async function insertRequest(tx: Tx, request: NewRequest): Promise<void> {
  const { id, budgetId, documentId, linkDays, createdBy, signers } = request
  await tx.run(insert, { id, budgetId, documentId, linkDays, createdBy })
  await tx.run(insertSignerRows, { requestId: id, signers: JSON.stringify(signers) })
}

/** All requests of a budget, newest first. */
export function requestsOf(db: Db, budgetId: string): Promise<SignatureRequestRow[]> {
  return db.rows(selectAll, { budgetId })
}

export async function requestOf(db: Db, id: string): Promise<SignatureRequestRow | undefined> {
  return db.first(select, { id })
}

/** Whether several people are signing a budget. */
export async function hasOpenRequest(db: Db, budgetId: string): Promise<boolean> {
  return (await db.first(selectOpen, { budgetId })) !== undefined
}

/** The signers of requests, by request and position. */
export function signersOf(db: Db, requestIds: readonly string[]): Promise<RequestSignerRow[]> {
  return db.rows(selectSigners, { requestIds: [...requestIds] })
}

/** The signers of the request that a link belongs to, in order; none for the link of a single signer. */
export async function signersOfLink(
  db: Db,
  { signature_request_id: id }: Pick<SigningLinkRow, 'signature_request_id'>,
): Promise<RequestSignerRow[]> {
  return id === null ? [] : signersOf(db, [id])
}

export async function setSignerLink(tx: Tx, id: string, linkId: string): Promise<void> {
  await tx.run(updateLink, { id, linkId })
}

export async function setSignerSignature(tx: Tx, id: string, signatureId: string): Promise<void> {
  await tx.run(updateSignature, { id, signatureId })
}

export async function setSigner(tx: Tx, id: string, name: string, email: string): Promise<void> {
  await tx.run(updateSigner, { id, name, email })
}

/** Ends the open request of a budget that this transaction has locked. Returns it, if there is one. */
export function setRequestEnded(
  tx: Tx,
  budgetId: string,
  status: SignatureRequest['status'],
  stopReason: StopReason | null,
): Promise<EndedRequest | undefined> {
  return tx.first(end, { budgetId, status, stopReason })
}

/** The budgets that wait for the signatures of these lower-case addresses in an open request, in the order of their ids. */
export async function budgetsWaitingFor(db: Db, addresses: string[]): Promise<string[]> {
  return (await db.rows(selectBudgetsOf, { addresses })).map(({ budget_id }) => budget_id)
}

/** Erases the names and addresses of signers who have not signed. The addresses are in lower case. */
export async function eraseRequestSigners(tx: Tx, addresses: string[]): Promise<void> {
  await tx.run(eraseSignerRows, { addresses })
}

/** Whether the open request of a budget waits for a signer whose link has expired. */
export async function isRequestExpired(db: Db, budgetId: string): Promise<boolean> {
  return (await db.first(selectExpiredLink, { budgetId })) !== undefined
}

/** Open requests that wait for a signer whose link has expired, in all organizations. */
export function expiredRequests(database: Database, limit: number): Promise<ExpiredRequest[]> {
  return database.crossTenant.rows(selectExpired, { most: limit })
}
