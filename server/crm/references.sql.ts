import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'

/** Ids in a request body that refer to other rows. */
type References = {
  clientId?: string | null
  contactId?: string | null
  ownerId?: string | null
  opportunityId?: string | null
}

type ReferenceRow = Record<'client_id' | 'contact_id' | 'owner_id' | 'opportunity_id', string | null>
type ReferenceArgs = {
  clientId: string | null
  contactId: string | null
  ownerId: string | null
  opportunityId: string | null
}
const lock = sql<ReferenceRow, ReferenceArgs>(`
  select (select c.id from crm_client c
      where c.organization_id = $organization and c.id = $clientId and c.archived_at is null
        for key share) as client_id,
    (select p.id from crm_contact p
      where p.organization_id = $organization and p.id = $contactId and p.archived_at is null
        and p.erased_at is null for key share) as contact_id,
    (select m.person_id from membership m
      where m.organization_id = $organization and m.person_id = $ownerId and m.removed_at is null
        for key share) as owner_id,
    (select o.id from crm_opportunity o where o.organization_id = $organization and o.id = $opportunityId
      for key share) as opportunity_id`)

/**
 * Locks the referenced rows against deletion. Refuses NOT_OF_THIS_ORGANIZATION, with a detail per field, if a row does not
 * exist or is archived. Fields that are omitted or null are not checked.
 */
export async function lockReferences(tx: Tx, references: References): Promise<void> {
  const { clientId = null, contactId = null, ownerId = null, opportunityId = null } = references
  const args: ReferenceArgs = { clientId, contactId, ownerId, opportunityId }
  if (Object.values(args).every(id => id === null)) return
  const row = await tx.one(lock, args)
  const details: ErrorDetail[] = [
    ...(clientId === row.client_id ? [] : [unknownReference('clientId', 'is not an active client')]),
    ...(contactId === row.contact_id ? [] : [unknownReference('contactId', 'is not an active contact')]),
    ...(ownerId === row.owner_id
      ? []
      : [unknownReference('ownerId', 'is not a member of this organization')]),
    ...(opportunityId === row.opportunity_id
      ? []
      : [unknownReference('opportunityId', 'is not an opportunity')]),
  ]
  if (details.length > 0) fail('NOT_OF_THIS_ORGANIZATION', { details })
}

/** The error detail for a field that refers to something unknown. */
export function unknownReference(path: string, message: string): ErrorDetail {
  return { path, code: 'unknown', message }
}
