import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { Language } from '#platform/language.ts'

/**
 * The end of a reset link, and the organization whose queue its mail joins: one that the person belongs to, or else a former one.
 * Indexes verification_identifier and membership_person.
 */
export const resetToMail = crossTenantSql<
  { organization_id: string; expires_at: string },
  { personId: string; identifier: string }
>(
  'people are not tied to an organization',
  `select m.organization_id, v.expires_at
   from verification v join membership m on m.person_id = v.value
   where v.identifier = $identifier and v.value = $personId
   order by m.removed_at is not null, m.created_at, m.organization_id limit 1`,
)

type MailedReset = {
  name: string
  email: string
  language: Language | null
  /** Whether the link still works. */
  isOpen: boolean
  /** Whether the link ends before a mail server may have accepted the mail, which takes 30 seconds at most. */
  isTooLate: boolean
}
export const mailedReset = sql<MailedReset, { personId: string; identifier: string; expiresAt: string }>(
  `select p.name, p.email, o.language,
     exists (select from verification v where v.identifier = $identifier and v.value = p.id
       and v.expires_at > now()) as "isOpen",
     $expiresAt::timestamptz < now() + interval '1 minute' as "isTooLate"
   from membership m
   join person p on p.id = m.person_id
   left join person_preference o on o.person_id = p.id
   where m.organization_id = $organization and m.person_id = $personId`,
)
