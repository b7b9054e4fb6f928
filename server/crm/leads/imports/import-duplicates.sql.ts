import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../../email.ts'
import { countsWithNewPlan } from '../../imports/plan-mode.sql.ts'
import type { LeadRow } from '../lead.row.ts'

// indexes lead_email and lead_phone
const selectCounts = sql<{ n: number }, { lookups: string }>(`
  select (
    select count(*) from (
      (select l.id from lead l where l.organization_id = $organization and l.email_hash = any(w.hashes)
        limit ${limits.leadDuplicates})
      union
      (select l.id from lead l where l.organization_id = $organization and l.phone_e164 = w.phone
        limit ${limits.leadDuplicates})
    ) same) as n
  from jsonb_to_recordset($lookups::jsonb) as w(ordinal integer, hashes bytea[], phone text)
  order by w.ordinal`)

/** For each new lead, the number of stored leads with its e-mail or telephone, in one statement. */
export function countDuplicates(
  tx: Tx,
  cipher: Cipher,
  leads: readonly Pick<LeadRow, 'email' | 'phone_e164'>[],
): Promise<number[]> {
  const lookups = leads.map(({ email, phone_e164: phone }, ordinal) => ({
    ordinal,
    hashes: email === null ? [] : emailHashes(cipher, tx.organizationId, email).map(hash => `\\x${hash}`),
    phone,
  }))
  return countsWithNewPlan(tx, selectCounts, lookups)
}
