import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'
import { allLinkColumns, linkJoins, type SigningLinkRow } from './signing-link.row.ts'
import type { StoredPdf } from './stored-pdf.ts'

const insertDocumentRow = sql<
  never,
  { id: string; budgetId: string; sha256: string; size: number; dataSha256: string }
>(`
  ${insertInto('budget_document', 'id, budget_id, sha256, size, data_sha256')}`)
export type NewSigningLink = {
  id: string
  budgetId: string
  signerName: string
  signerEmail: string
  tokenDigest: string
  documentId: string | null
  createdBy: string
  days: number
  /** The request of several signers that the link belongs to. */
  requestId: string | null
}

const insert = sql<never, NewSigningLink>(`
  insert into signing_link (organization_id, id, budget_id, signer_name, signer_email, token_digest, document_id,
    created_by, expires_at, signature_request_id)
  values ($organization, $id, $budgetId, $signerName, $signerEmail, decode($tokenDigest, 'hex'), $documentId,
    $createdBy, now() + make_interval(days => $days), $requestId)`)
const select = sql<SigningLinkRow, { budgetId: string; id: string }>(`
  select ${allLinkColumns} from signing_link l ${linkJoins}
  where l.organization_id = $organization and l.budget_id = $budgetId and l.id = $id`)
// index signing_link_of
const selectAll = sql<SigningLinkRow, { budgetId: string }>(`
  select ${allLinkColumns} from signing_link l ${linkJoins}
  where l.organization_id = $organization and l.budget_id = $budgetId order by l.created_at desc, l.id desc`)
const count = sql<{ total: number }, { budgetId: string }>(
  `select count(*) as total from signing_link l where l.organization_id = $organization
    and l.budget_id = $budgetId`,
)
// index signing_link_open
const revokeOfSigner = sql<{ id: string }, { budgetId: string; email: string }>(`
  update signing_link l set revoked_at = now()
  where l.organization_id = $organization and l.budget_id = $budgetId and lower(l.signer_email) = lower($email)
    and l.revoked_at is null and l.used_at is null and l.declined_at is null
  returning l.id`)
// index signing_link_open
const revokeAll = sql<{ id: string }, { budgetId: string }>(`
  update signing_link l set revoked_at = now()
  where l.organization_id = $organization and l.budget_id = $budgetId and l.expires_at > now()
    and l.revoked_at is null and l.used_at is null and l.declined_at is null
  returning l.id`)
const update = (set: string) =>
  `update signing_link l set ${set} where l.organization_id = $organization and l.id = $id`
const revoke = sql<never, { id: string }>(update('revoked_at = now()'))
const use = sql<never, { id: string }>(update('used_at = now(), viewed_at = coalesce(l.viewed_at, now())'))
const decline = sql<never, { id: string }>(update('declined_at = now()'))
const view = sql<never, { id: string }>(`${update('viewed_at = now()')} and l.viewed_at is null`)
const updateToken = sql<never, { id: string; tokenDigest: string }>(
  update(`token_digest = decode($tokenDigest, 'hex'), mailed_at = null`),
)
const updateMailed = sql<never, { id: string; tokenDigest: string }>(
  `${update('mailed_at = now()')} and l.token_digest = decode($tokenDigest, 'hex')`,
)

// index signing_link_signer
const eraseLinks = sql<{ id: string; budget_id: string }, { addresses: string[] }>(`
  update signing_link l set signer_name = '', signer_email = '',
    revoked_at = case when l.declined_at is null then coalesce(l.revoked_at, now()) else l.revoked_at end
  where l.organization_id = $organization and lower(l.signer_email) = any($addresses) and l.used_at is null
  returning l.id, l.budget_id`)
// index budget_event_of
const eraseVisits = sql<never, { budgetIds: string[]; linkIds: string[] }>(`
  update budget_event e set ip = null, user_agent = null
  where e.organization_id = $organization and e.budget_id = any($budgetIds)
    and e.signing_link_id = any($linkIds) and e.actor_id is null`)
const selectEmail = sql<{ email: string }, { personIds: (string | null)[] }>(`
  select m.email from membership m
  where m.organization_id = $organization and m.person_id = any($personIds) and m.removed_at is null
  order by array_position($personIds, m.person_id) limit 1`)

const selectDecliner = sql<{ name: string }, { linkId: string | null; contactId: string | null }>(`
  select coalesce(
    (select l.signer_name from signing_link l where l.organization_id = $organization and l.id = $linkId),
    (select p.email from crm_contact p where p.organization_id = $organization and p.id = $contactId
      and p.erased_at is null), '') as name`)

/** Records a PDF that is already in the file store, with the fingerprint of the data that it shows. */
export async function insertDocument(
  tx: Tx,
  document: { id: string; budgetId: string; dataSha256: string } & StoredPdf,
): Promise<void> {
  const { id, budgetId, sha256, size, dataSha256 } = document
  await tx.run(insertDocumentRow, { id, budgetId, sha256, size, dataSha256 })
}

export async function insertLink(tx: Tx, link: NewSigningLink): Promise<void> {
  const { id, budgetId, signerName, signerEmail, tokenDigest, documentId, createdBy, days, requestId } = link
  await tx.run(insert, {
    id,
    budgetId,
    signerName,
    signerEmail,
    tokenDigest,
    documentId,
    createdBy,
    days,
    requestId,
  })
}

export function linkOf(db: Db, budgetId: string, id: string): Promise<SigningLinkRow> {
  return db.one(select, { budgetId, id })
}

/** All links of a budget, newest first. */
export function linksOf(db: Db, budgetId: string): Promise<SigningLinkRow[]> {
  return db.rows(selectAll, { budgetId })
}

export async function countLinks(db: Db, budgetId: string): Promise<number> {
  return (await db.one(count, { budgetId })).total
}

/** Revokes the open link of a signer. Returns its id. */
export async function revokeLinkOf(tx: Tx, budgetId: string, email: string): Promise<string | undefined> {
  return (await tx.first(revokeOfSigner, { budgetId, email }))?.id
}

/** Revokes all open links of a budget. Returns their ids. */
export async function revokeOpenLinks(tx: Tx, budgetId: string): Promise<string[]> {
  return (await tx.rows(revokeAll, { budgetId })).map(({ id }) => id)
}

export async function setRevoked(tx: Tx, id: string): Promise<void> {
  await tx.run(revoke, { id })
}

export async function setUsed(tx: Tx, id: string): Promise<void> {
  await tx.run(use, { id })
}

export async function setDeclined(tx: Tx, id: string): Promise<void> {
  await tx.run(decline, { id })
}

/** Records a view of the page. Returns true the first time. */
export async function setViewed(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run(view, { id })) > 0
}

/**
 * Erases name, e-mail, IP address and user agent of a person from links that were not used for a signature, and revokes open
 * ones. Used links stay, because they are evidence of a contract. The addresses are in lower case.
 */
export async function eraseLinksOf(tx: Tx, addresses: string[]): Promise<void> {
  const erased = await tx.rows(eraseLinks, { addresses })
  if (erased.length === 0) return
  const [ids, budgets] = [erased.map(({ id }) => id), erased.map(({ budget_id }) => budget_id)]
  await tx.run(eraseVisits, { budgetIds: budgets, linkIds: ids })
}

/** The e-mail of the first of these people who is still a member. */
export async function emailOfMember(
  db: Db,
  personIds: readonly (string | null)[],
): Promise<string | undefined> {
  return (await db.first(selectEmail, { personIds: [...personIds] }))?.email
}

/** The name or e-mail of the person who declined a budget; empty if it was erased. */
export async function declinerName(db: Db, linkId: string | null, contactId: string | null): Promise<string> {
  return (await db.first(selectDecliner, { linkId, contactId }))?.name ?? ''
}

/** Replaces the secret of a link. */
export async function setToken(tx: Tx, id: string, tokenDigest: string): Promise<void> {
  await tx.run(updateToken, { id, tokenDigest })
}

/** Records that the mail with this secret was sent, unless there is a newer secret. */
export async function setMailed(tx: Tx, id: string, tokenDigest: string): Promise<void> {
  await tx.run(updateMailed, { id, tokenDigest })
}
