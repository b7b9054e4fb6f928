import { limits } from '#contract/limits.ts'
import type { Cipher } from '#platform/cipher.ts'
import type { Db } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'
import { emailHashes } from '../../email.ts'
import { type LeadRow, wholeLead } from '../row.ts'

// indexes lead_email and lead_phone
const countSame = sql<{ n: number }, [wanted: string]>(`
  select (
    select count(*) from (
      (select l.id from lead l
       where l.organization_id = $1 and l.email_hash = any(select decode(h, 'hex') from jsonb_array_elements_text(w.hashes) h)
       limit ${limits.leadDuplicates})
      union
      (select l.id from lead l where l.organization_id = $1 and l.phone_e164 = w.phone limit ${limits.leadDuplicates})
    ) same) as n
  from jsonb_to_recordset($2::jsonb) as w(place integer, hashes jsonb, phone text)
  order by w.place`)

/** Of each of these leads, which are not kept, how many others have its e-mail or telephone; all in one statement. */
export async function countDuplicates(
  db: Db,
  cipher: Cipher,
  leads: readonly Pick<LeadRow, 'email' | 'phone_e164'>[],
): Promise<number[]> {
  const wanted = leads.map(({ email, phone_e164: phone }, place) => ({
    place,
    hashes: email === null ? [] : emailHashes(cipher, db.organizationId, email),
    phone,
  }))
  return (await db.rows(countSame, JSON.stringify(wanted))).map(({ n }) => n)
}

// the primary key: each lead stands once in it, whatever changes meanwhile
const selectAfter = sql<LeadRow, [after: string, limit: number]>(
  `select ${wholeLead} from lead l where l.organization_id = $1 and l.id > $2 order by l.id limit $3`,
)

/** Leads after one of them in the order of their ids, erased ones too. */
export function leadsAfter(db: Db, after: string, limit: number): Promise<LeadRow[]> {
  return db.rows(selectAfter, after, limit)
}
