import type { CrossTenantTx, Tx } from '#platform/data/db.ts'
import { violated } from '#platform/data/errors.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import type { Caller, Origin } from '#platform/http/caller.ts'
import type { OutboxServices } from '#platform/services.ts'
import type { InvitationMailServices } from '../invitations/invitation-mail.ts'
import type { MembershipServices } from '../person.access.ts'
import { ScimError } from './scim-error.ts'

/** The services for changing people and groups, and for inviting. */
export type ScimServices = OutboxServices & MembershipServices & InvitationMailServices

/** A request of an identity provider. */
export type ScimRequest = {
  caller: Caller
  origin: Origin
  services: ScimServices
  /** The route, as the audit entry names it: `PATCH /scim/v2/Users/:id`. */
  operation: string
}

/** The object and the fields of a change; without changed fields it leaves no audit entry. */
export type ScimChange = { subject: string; changed: readonly string[] }

/** One transaction of a request, with its audit entry. Error: 409 uniqueness for an external id that is taken. */
export async function changeByScim<Change extends ScimChange>(
  { caller, origin, services, operation }: ScimRequest,
  work: (tx: Tx, crossTenant: CrossTenantTx) => Promise<Change>,
): Promise<Change> {
  const change = await services.database
    .transactCrossTenant(async crossTenant => {
      const tx = crossTenant.of(caller.organizationId)
      const { subject, changed, ...rest } = await work(tx, crossTenant)
      if (changed.length > 0) {
        const detail = { tokenId: caller.sessionId }
        await recordOutbox(tx, { ...caller, auth: 'scim' }, origin, operation, { subject, changed, detail })
      }
      return { subject, changed, ...rest } as Change
    })
    .catch(error => {
      const constraint = violated(error)
      if (constraint === 'provisioned_user_external' || constraint === 'unit_external')
        throw new ScimError(409, 'Another resource has this externalId.', 'uniqueness')
      if (constraint === 'person_email_key')
        throw new ScimError(409, 'This account is being created. Try again.', 'uniqueness')
      throw error
    })
  services.wakeUp?.changed()
  return change
}
