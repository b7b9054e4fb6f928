import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { defaultPhoneCountry } from '../phone.ts'
import { unknownReference } from '../references.sql.ts'
import type { LeadInput } from './fields.ts'

const selectReferences = sql<
  { phone_country: string | null; assignee_id: string | null },
  { assigneeId: string | null }
>(`
  select (select s.phone_country from crm_settings s where s.organization_id = $organization) as phone_country,
    (select m.person_id from membership m
     where m.organization_id = $organization and m.person_id = $assigneeId and m.removed_at is null
       for key share) as assignee_id`)

/** Locks the assignee and reads the telephone country. Refuses NOT_OF_THIS_ORGANIZATION for an unknown assignee. */
export async function lockLeadReferences(
  tx: Tx,
  { phone, assigneeId }: LeadInput,
): Promise<{ phoneCountry: string }> {
  if (!phone && !assigneeId) return { phoneCountry: defaultPhoneCountry }
  const row = await tx.first(selectReferences, { assigneeId: assigneeId ?? null })
  if (assigneeId && !row?.assignee_id)
    fail('NOT_OF_THIS_ORGANIZATION', {
      details: [unknownReference('assigneeId', 'is not a member of this organization')],
    })
  return { phoneCountry: row?.phone_country ?? defaultPhoneCountry }
}
