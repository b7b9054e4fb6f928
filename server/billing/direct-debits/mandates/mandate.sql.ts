import type { Mandate } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A mandate; the account is not among its columns. Days are `YYYY-MM-DD`. */
export type MandateRow = {
  id: string
  reference: string
  client_id: string
  client_name: string
  debtor_name: string
  iban_country: string
  iban_end: string
  bic: string | null
  scheme: Mandate['scheme']
  kind: Mandate['kind']
  signed_on: string
  status: Mandate['status']
  created_at: string
  cancelled_at: string | null
  erased_at: string | null
}

/** An active mandate. */
export type UsableMandate = Pick<MandateRow, 'id' | 'client_id' | 'kind'>

/** The status of a mandate, by its alias (SDD-4). Index direct_debit_of_mandate. */
export const mandateStatus = (m: string) => `case
    when ${m}.cancelled_at is not null then 'CANCELLED'
    when ${m}.kind = 'OOFF' and exists (select from direct_debit u
      where u.organization_id = $organization and u.mandate_id = ${m}.id
      and (u.outcome is null or u.outcome = 'COLLECTED')) then 'USED'
    when greatest(${m}.signed_on, ${m}.last_collected_on) + interval '${limits.mandateLapseMonths} months'
      < (now() at time zone 'utc')::date then 'LAPSED'
    else 'ACTIVE' end`
const select = `select m.id, m.reference, m.client_id, c.name as client_name, m.debtor_name, m.iban_country,
    m.iban_end, m.bic,
    m.scheme, m.kind, to_char(m.signed_on, 'YYYY-MM-DD') as signed_on, ${mandateStatus('m')} as status, m.created_at,
    m.cancelled_at, m.erased_at
  from direct_debit_mandate m join crm_client c on c.organization_id = $organization and c.id = m.client_id
  where m.organization_id = $organization`
const byId = sql<MandateRow, { id: string }>(`${select} and m.id = $id`)
const order = 'order by m.created_at desc, m.id desc'
// index direct_debit_mandate_recent
const recent = sql<MandateRow, { limit: number; offset: number }>(
  `${select} ${order} limit $limit offset $offset`,
)
const countAll = sql<{ total: number }>(
  `select count(*)::int as total from direct_debit_mandate m where m.organization_id = $organization`,
)
// index direct_debit_mandate_of_client
const ofClient = sql<MandateRow, { limit: number; offset: number; clientId: string }>(
  `${select} and m.client_id = $clientId ${order} limit $limit offset $offset`,
)
const countOfClient = sql<{ total: number }, { clientId: string }>(
  `select count(*)::int as total from direct_debit_mandate m
    where m.organization_id = $organization and m.client_id = $clientId`,
)
// index direct_debit_mandate_of_client
const newestActive = sql<UsableMandate, { clientIds: string[]; counts: number[] }>(`
  select m.id, m.client_id, m.kind from unnest($clientIds::text[], $counts::int[]) as w (client_id, count)
  cross join lateral (
    select m.id, m.client_id, m.kind, m.created_at from direct_debit_mandate m
    where m.organization_id = $organization and m.client_id = w.client_id and ${mandateStatus('m')} = 'ACTIVE'
    ${order} limit w.count) m
  ${order}`)
// index direct_debit_of_mandate
const preparedWith = sql<{ id: string }, { mandateId: string }>(`
  select r.id from direct_debit d join direct_debit_remittance r on r.organization_id = $organization
    and r.id = d.remittance_id
  where d.organization_id = $organization and d.mandate_id = $mandateId and r.state = 'PREPARED' limit 1`)
const cancel = sql<never, { id: string }>(
  `update direct_debit_mandate m set cancelled_at = now()
   where m.organization_id = $organization and m.id = $id and m.cancelled_at is null`,
)

/** A mandate to insert. `iban` is encrypted. */
export type NewMandate = {
  id: string
  clientId: string
  reference: string
  debtorName: string
  iban: string
  ibanCountry: string
  ibanEnd: string
  bic: string | null
  scheme: Mandate['scheme']
  kind: Mandate['kind']
  signedOn: string
  createdBy: string
}
// on a conflict the reference is taken
const insert = sql<
  { id: string },
  {
    id: string
    clientId: string
    reference: string
    debtorName: string
    iban: string
    country: string
    end: string
    bic: string | null
    scheme: string
    kind: string
    signedOn: string
    by: string
  }
>(`
  insert into direct_debit_mandate (organization_id, id, client_id, reference, debtor_name, iban,
    iban_country, iban_end, bic, scheme, kind, signed_on, created_by)
  values ($organization, $id, $clientId, $reference, $debtorName, $iban, $country, $end, $bic, $scheme, $kind,
    $signedOn, $by) on conflict do nothing returning id`)

export function findMandate(db: Db, id: string): Promise<MandateRow | undefined> {
  return db.first(byId, { id })
}

/** The same for a mandate that exists. */
export function readMandate(db: Db, id: string): Promise<MandateRow> {
  return db.one(byId, { id })
}

/** False when another mandate has the reference. */
export async function insertMandate(tx: Tx, mandate: NewMandate): Promise<boolean> {
  const { id, clientId, reference, debtorName, iban, ibanCountry, ibanEnd, bic, scheme, kind } = mandate
  const row = await tx.first(insert, {
    id,
    clientId,
    reference,
    debtorName,
    iban,
    country: ibanCountry,
    end: ibanEnd,
    bic,
    scheme,
    kind,
    signedOn: mandate.signedOn,
    by: mandate.createdBy,
  })
  return row !== undefined
}

/** A page of the mandates of all clients or of one, the newest first, and their number. */
export async function listMandates(
  db: Db,
  clientId: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MandateRow[]; total: number }> {
  const [rows, counted] = await Promise.all(
    clientId === undefined
      ? [db.rows(recent, { limit, offset }), db.one(countAll)]
      : [db.rows(ofClient, { limit, offset, clientId }), db.one(countOfClient, { clientId })],
  )
  return { rows, total: counted.total }
}

/**
 * The newest active mandates of clients, the newest first: for each client as many as are collected with one each. The
 * transaction must have locked the creditor.
 */
export async function newestActiveMandates(
  tx: Tx,
  collections: ReadonlyMap<string, number>,
): Promise<Map<string, UsableMandate[]>> {
  const mandates = await tx.rows(newestActive, {
    clientIds: [...collections.keys()],
    counts: [...collections.values()],
  })
  return Map.groupBy(mandates, ({ client_id }) => client_id)
}

/** Whether a remittance that was not sent uses the mandate. */
export async function isInPreparedRemittance(tx: Tx, mandateId: string): Promise<boolean> {
  return (await tx.first(preparedWith, { mandateId })) !== undefined
}

export async function setMandateCancelled(tx: Tx, id: string): Promise<void> {
  await tx.run(cancel, { id })
}
