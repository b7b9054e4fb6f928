import type { SealCertificate as SealCertificateReply } from '#contract/crm/seals.ts'
import { limits } from '#contract/limits.ts'
import type { SealCertificate } from '#platform/adapters/pdf-seal.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'

type Shown = NonNullable<SealCertificateReply['certificate']>
const select = sql<Shown>(`
  select c.subject, c.issuer, c.serial_number as "serialNumber", c.valid_from as "validFrom",
    c.valid_until as "validUntil",
    now() between c.valid_from and c.valid_until as "isValid", c.created_at as "uploadedAt"
  from seal_certificate c where c.organization_id = $organization`)
// index budget_seal_waiting
const countWaiting = sql<{ count: number }>(`
  select count(*)::int as count from (
    select from budget_seal s where s.organization_id = $organization and s.sha256 is null
      limit ${limits.waitingSealsCounted}) w`)

/** The certificate of the organization, and how many budgets wait for their seal. */
export async function sealCertificateOf(db: Db): Promise<SealCertificateReply> {
  const [certificate, waiting] = await Promise.all([db.first(select), db.one(countWaiting)])
  return { certificate: certificate ?? null, waiting: waiting.count }
}

const selectKey = sql<{ pkcs12: string; subject: string; is_valid: boolean }>(`
  select c.pkcs12, c.subject, now() between c.valid_from and c.valid_until as is_valid
  from seal_certificate c where c.organization_id = $organization`)
/** The encrypted file of the certificate, for the job that seals. */
export function sealKeyOf(
  db: Db,
): Promise<{ pkcs12: string; subject: string; is_valid: boolean } | undefined> {
  return db.first(selectKey)
}

type Values = {
  subject: string
  issuer: string
  serialNumber: string
  validFrom: string
  validUntil: string
  pkcs12: string
}
const upsert = sql<never, Values>(`
  ${insertInto('seal_certificate', 'subject, issuer, serial_number, valid_from, valid_until, pkcs12')}
  on conflict (organization_id) do update set subject = excluded.subject, issuer = excluded.issuer,
    serial_number = excluded.serial_number, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
    pkcs12 = excluded.pkcs12, created_at = now()`)
/** Sets the certificate; `pkcs12` is encrypted. */
export async function setSealCertificate(
  tx: Tx,
  { subject, issuer, serialNumber, validFrom, validUntil }: SealCertificate,
  pkcs12: string,
): Promise<void> {
  await tx.run(upsert, { subject, issuer, serialNumber, validFrom, validUntil, pkcs12 })
}

const remove = sql('delete from seal_certificate c where c.organization_id = $organization')
/** Removes the certificate. False if there was none. */
export async function deleteSealCertificate(tx: Tx): Promise<boolean> {
  return (await tx.run(remove)) > 0
}
