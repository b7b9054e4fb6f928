import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'

/** What a body names beside the thing itself. */
type References = {
  clientId?: string | null
  contactId?: string | null
  ownerId?: string | null
  opportunityId?: string | null
}

type Found = Record<'client_id' | 'contact_id' | 'owner_id' | 'opportunity_id', string | null>
type Named = [
  clientId: string | null,
  contactId: string | null,
  ownerId: string | null,
  opportunityId: string | null,
]
const hold = sql<Found, Named>(`
  select (select c.id from crm_client c
      where c.organization_id = $1 and c.id = $2 and c.archived_at is null for key share) as client_id,
    (select p.id from crm_contact p
      where p.organization_id = $1 and p.id = $3 and p.archived_at is null and p.erased_at is null for key share) as contact_id,
    (select m.person_id from membership m
      where m.organization_id = $1 and m.person_id = $4 and m.removed_at is null for key share) as owner_id,
    (select o.id from crm_opportunity o where o.organization_id = $1 and o.id = $5 for key share) as opportunity_id`)

/**
 * Refuses NOT_OF_THIS_ORGANIZATION, naming each field, unless there is such a client, contact, member and opportunity, and
 * none of them is archived. What is not given, or null, is not looked for.
 */
export async function holdReferences(tx: Tx, given: References): Promise<void> {
  const { clientId = null, contactId = null, ownerId = null, opportunityId = null } = given
  const named: Named = [clientId, contactId, ownerId, opportunityId]
  if (named.every(id => id === null)) return
  const found = await tx.first(hold, ...named)
  const details: ErrorDetail[] = [
    ...(clientId === found!.client_id ? [] : [missing('clientId', 'is no client that is not archived')]),
    ...(contactId === found!.contact_id ? [] : [missing('contactId', 'is no contact that is not archived')]),
    ...(ownerId === found!.owner_id ? [] : [missing('ownerId', 'is no member of this organization')]),
    ...(opportunityId === found!.opportunity_id ? [] : [missing('opportunityId', 'is no opportunity')]),
  ]
  if (details.length > 0) fail('NOT_OF_THIS_ORGANIZATION', { details })
}

/** Why a field cannot hold what it names. */
export function missing(path: string, message: string): ErrorDetail {
  return { path, code: 'unknown', message }
}
