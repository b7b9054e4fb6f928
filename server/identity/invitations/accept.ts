import { acceptInvitationSignedIn, readInvitation } from '#contract/identity/invitations.ts'
import { acceptInvitation } from '#contract/identity/sessions.ts'
import type { Database } from '#platform/data/database.ts'
import { violated } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import { countCall } from '#platform/http/counted-limits.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { verifyPassword } from '../sign-in/hash.ts'
import { hashStrong } from '../sign-in/people.ts'
import { enter, type Joining } from './enter.ts'
import {
  type Account,
  accountByEmail,
  accountById,
  invitationBySecret,
  type OpenInvitation,
} from './invitation.sql.ts'
import { hashOf } from './send.ts'

// whoever has the link still needs the password of the account it was sent to
const guesses = { bucket: 'accept-invitation-password', times: 10, windowSeconds: 3600 }

export const read = query(readInvitation, async ({ body, services: { database } }) => {
  const { organizationId, organizationName, email, name, role, expiresAt } = await invitationFor(
    database,
    body.secret,
  )
  const isNew = !(await database.wide.first(accountByEmail, email))
  return { organizationId, organizationName, email, name, role, expiresAt, isNew }
})

export const accept = workflow(acceptInvitation, async ({ body, caller, origin, services }) => {
  const { database } = services
  const invitation = await invitationFor(database, body.secret)
  for (let attempt = 1; ; attempt++) {
    const account = await database.wide.first(accountByEmail, invitation.email)
    const joining = account
      ? await provenBy(body.password, account, database, invitation)
      : await newcomer(body, invitation)
    try {
      return await enter(
        { caller, origin, services },
        'public',
        acceptInvitation,
        body.secret,
        invitation,
        joining,
      )
    } catch (error) {
      // two invitations to one new address, accepted at the same moment: by now the account exists
      if (attempt > 1 || violated(error) !== 'person_email_key') throw error
    }
  }
})

export const acceptSignedIn = workflow(
  acceptInvitationSignedIn,
  async ({ body, caller, origin, services }) => {
    const invitation = await invitationFor(services.database, body.secret)
    const account =
      (await services.database.wide.first(accountById, caller.personId)) ?? fail('UNAUTHENTICATED')
    // an invitation is for one address; somebody else's link is as good as none
    if (account.email !== invitation.email) fail('INVITATION_NOT_FOUND')
    const given = { caller, origin, services }
    return enter(given, 'account', acceptInvitationSignedIn, body.secret, invitation, {
      ...account,
      isNew: false,
    })
  },
)

/** Errors: INVITATION_NOT_FOUND, also for one that is used, expired or taken back; ORGANIZATION_SUSPENDED. */
async function invitationFor(database: Database, secret: string): Promise<OpenInvitation> {
  const found =
    (await database.wide.first(invitationBySecret, hashOf(secret))) ?? fail('INVITATION_NOT_FOUND')
  if (found.isSuspended) fail('ORGANIZATION_SUSPENDED')
  return found
}

async function provenBy(
  password: string,
  account: Account,
  database: Database,
  invitation: OpenInvitation,
): Promise<Joining> {
  await countCall(database, guesses, invitation.id)
  const isRight = account.password !== null && (await verifyPassword({ hash: account.password, password }))
  if (!isRight || account.isLocked) fail('UNAUTHENTICATED')
  return { ...account, isNew: false }
}

async function newcomer(
  { name, password }: { name?: string; password: string },
  { email, organizationName }: Pick<OpenInvitation, 'email' | 'organizationName'>,
): Promise<Joining> {
  const written = name?.trim()
  if (!written) {
    const message = 'is needed, because nobody has an account with this address yet'
    fail('VALIDATION_ERROR', { details: [{ path: 'name', code: 'required', message }] })
  }
  const passwordHash = await hashStrong(password, { email, names: [written, organizationName] })
  return { id: newId(), name: written, email, isNew: true, passwordHash }
}
