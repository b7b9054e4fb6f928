import { acceptInvitationSignedIn, readInvitation } from '#contract/identity/invitations.ts'
import { acceptInvitation } from '#contract/identity/sessions.ts'
import type { Database } from '#platform/data/database.ts'
import { violated } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import { countCall } from '#platform/http/counted-limits.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { digestOf } from '#platform/security/credential.ts'
import { verifyPassword } from '../sign-in/hash.ts'
import { hashStrong } from '../sign-in/people.ts'
import {
  accountByEmail,
  accountById,
  invitationBySecret,
  type OpenInvitation,
  type PersonAccount,
} from './invitation.sql.ts'
import { type JoiningPerson, joinOrganization } from './join-organization.ts'

// the link alone is not enough: an existing account also needs its password
const passwordLimit = { bucket: 'accept-invitation-password', times: 10, windowSeconds: 3600 }

export const read = query(readInvitation, async ({ body, services: { database } }) => {
  const invitation = await openInvitationFor(database, body.secret)
  const { email, name, role } = invitation
  return {
    organizationId: invitation.organization_id,
    organizationName: invitation.organization_name,
    email,
    name,
    role,
    expiresAt: invitation.expires_at,
    isNew: !(await database.crossTenant.first(accountByEmail, { email })),
  }
})

export const accept = workflow(acceptInvitation, async ({ body, caller, origin, services }) => {
  const { database } = services
  const invitation = await openInvitationFor(database, body.secret)
  for (let attempt = 1; ; attempt++) {
    const account = await database.crossTenant.first(accountByEmail, { email: invitation.email })
    const joining = account
      ? await existingPerson(body.password, account, database, invitation)
      : await newPerson(body, invitation)
    try {
      return await joinOrganization(
        { caller, origin, services },
        'public',
        acceptInvitation,
        body.secret,
        invitation,
        joining,
      )
    } catch (error) {
      // two invitations to one new address were accepted at the same time: now the account exists
      if (attempt > 1 || violated(error) !== 'person_email_key') throw error
    }
  }
})

export const acceptSignedIn = workflow(
  acceptInvitationSignedIn,
  async ({ body, caller, origin, services }) => {
    const invitation = await openInvitationFor(services.database, body.secret)
    const account =
      (await services.database.crossTenant.first(accountById, { personId: caller.personId })) ??
      fail('UNAUTHENTICATED')
    // an invitation is for one address, so another person's link is useless
    if (account.email !== invitation.email) fail('INVITATION_NOT_FOUND')
    const context = { caller, origin, services }
    return joinOrganization(context, 'account', acceptInvitationSignedIn, body.secret, invitation, {
      ...account,
      isNew: false,
    })
  },
)

/** Errors: INVITATION_NOT_FOUND, also if it was used, expired or revoked; ORGANIZATION_SUSPENDED. */
async function openInvitationFor(database: Database, secret: string): Promise<OpenInvitation> {
  const invitation =
    (await database.crossTenant.first(invitationBySecret, { secretHash: digestOf(secret) })) ??
    fail('INVITATION_NOT_FOUND')
  if (invitation.is_suspended) fail('ORGANIZATION_SUSPENDED')
  return invitation
}

async function existingPerson(
  password: string,
  account: PersonAccount,
  database: Database,
  invitation: OpenInvitation,
): Promise<JoiningPerson> {
  await countCall(database, passwordLimit, invitation.id)
  const isRight = account.password !== null && (await verifyPassword({ hash: account.password, password }))
  if (!isRight || account.isLocked) fail('UNAUTHENTICATED')
  return { ...account, isNew: false }
}

async function newPerson(
  { name, password }: { name?: string; password: string },
  { email, organization_name }: Pick<OpenInvitation, 'email' | 'organization_name'>,
): Promise<JoiningPerson> {
  const trimmedName = name?.trim()
  if (!trimmedName) {
    const message = 'is required, because no account has this address yet'
    fail('VALIDATION_ERROR', { details: [{ path: 'name', code: 'required', message }] })
  }
  const passwordHash = await hashStrong(password, { email, names: [trimmedName, organization_name] })
  return { id: newId(), name: trimmedName, email, isNew: true, passwordHash }
}
