import type { AuthKind, Operation } from '#contract/operation.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { digestOf } from '#platform/security/credential.ts'
import type { AccessServices, OutboxServices } from '#platform/services.ts'
import { insertMembership } from '../members/member.sql.ts'
import { recordAccessChange } from '../person.access.ts'
import { restoreRetainedUnits } from '../provisioning/retained-units.ts'
import { newPerson } from '../sign-in/sign-in.sql.ts'
import { type RequestContext, transactAcross } from '../transact-across.ts'
import { type OpenInvitation, setAccepted } from './invitation.sql.ts'

/** The person who joins: the proven owner of an account, or a new person. */
export type JoiningPerson = { id: string; name: string; email: string } & (
  | { isNew: false }
  | { isNew: true; passwordHash: string }
)

/**
 * Uses the invitation, creates the account if necessary, and the membership, all or nothing. Errors:
 * INVITATION_NOT_FOUND, ALREADY_MEMBER; violates person_email_key if the account has just been created.
 */
export async function joinOrganization(
  context: RequestContext<OutboxServices & AccessServices>,
  auth: AuthKind,
  contract: Pick<Operation, 'method' | 'path' | 'area' | 'announces'>,
  secret: string,
  { organization_id: organizationId, id }: OpenInvitation,
  person: JoiningPerson,
) {
  return transactAcross(context, auth, contract, async (crossTenant, record) => {
    const tx = crossTenant.of(organizationId)
    const accepted =
      (await tx.first(setAccepted, { id, secretHash: digestOf(secret) })) ?? fail('INVITATION_NOT_FOUND')
    if (person.isNew) await addPerson(crossTenant, person)
    const joined = await tx.first(insertMembership, {
      personId: person.id,
      role: accepted.role,
      roleId: accepted.custom_role_id,
      name: person.name,
      email: person.email,
    })
    if (!joined) fail('ALREADY_MEMBER')
    await restoreRetainedUnits(tx, person.id)
    const actor = { auth, personId: person.id, applicationId: null }
    await recordAccessChange(tx, context.services, person.id)
    emit(tx, actor, 'invitation.changed', { ids: [id], removedIds: [id] })
    await record(tx, { subject: person.id, changed: ['role'] }, actor)
    return {
      personId: person.id,
      organizationId,
      email: person.email,
      isNew: person.isNew,
      role: accepted.role,
    }
  })
}

async function addPerson(crossTenant: CrossTenantTx, person: JoiningPerson & { isNew: true }): Promise<void> {
  const { id, name, email, passwordHash } = person
  // the link was mailed, so the address is verified
  await crossTenant.first(newPerson, {
    id,
    name,
    email,
    verified: true,
    credentialId: newId(),
    hash: passwordHash,
  })
}
