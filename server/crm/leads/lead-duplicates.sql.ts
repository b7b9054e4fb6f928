import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../email.ts'
import type { LeadRow } from './lead.row.ts'

type Duplicate = { id: string; matchedOn: 'email' | 'phone' }
// indexes lead_email and lead_phone
const select = sql<Duplicate, { self: string; hashes: string[]; phone: string | null }>(`
  (select l.id, 'email' as "matchedOn" from lead l
   where l.organization_id = $organization
     and l.email_hash = any(select decode(h, 'hex') from unnest($hashes::text[]) h) and l.id <> $self
   order by l.id limit ${limits.leadDuplicates})
  union all
  (select l.id, 'phone' from lead l where l.organization_id = $organization and l.phone_e164 = $phone
    and l.id <> $self
   order by l.id limit ${limits.leadDuplicates})`)

/** Other leads with the same e-mail or telephone, oldest first. A lead that matches both is listed for the e-mail. */
export async function duplicatesOf(db: Db, cipher: Cipher, lead: LeadRow): Promise<Duplicate[]> {
  const hashes = lead.email === null ? [] : emailHashes(cipher, db.organizationId, lead.email)
  const rows = await db.rows(select, { self: lead.id, hashes, phone: lead.phone_e164 })
  return [...new Map(rows.toReversed().map(one => [one.id, one])).values()]
    .toReversed()
    .slice(0, limits.leadDuplicates)
}
