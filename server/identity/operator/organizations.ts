import {
  getOperatedOrganization,
  inviteOwner,
  listOrganizations,
  type OperatedOrganization,
  openOrganization,
  updateOperatedOrganization,
} from '#contract/identity/operator.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import type { Tx } from '#platform/data/db.ts'
import { likePattern } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import type { Services } from '#platform/services.ts'
import { upsertInvitation } from '../invitations/invitation.sql.ts'
import {
  type InvitationSender,
  newSecret,
  queueInvitationMail,
  sendInvitationMail,
} from '../invitations/invitation-mail.ts'
import { memberWithEmail } from '../members/member.sql.ts'
import { createWithAddress } from '../organization/address.ts'
import { lockOrganization, organizationOf, setOperatorSettings } from '../organization/organization.sql.ts'
import { mailLanguageOf } from '../person/person.sql.ts'
import { recordAccessChange } from '../person.access.ts'
import { transactAcross } from '../transact-across.ts'
import { countedOrganizations, listedOrganizations } from './operator.sql.ts'

export const list = query(listOrganizations, async ({ query, services: { database } }) => {
  const { limit, offset } = pageOf(query)
  const search = likePattern(query.search)
  const [items, count] = await Promise.all([
    database.crossTenant.rows(listedOrganizations({ search, limit, offset }), { search, limit, offset }),
    database.crossTenant.one(countedOrganizations({ search }), { search }),
  ])
  return { items, total: count.total, limit, offset }
})

export const get = query(getOperatedOrganization, async ({ params, services: { database } }) => {
  return (await database.of(params.id).first(organizationOf)) ?? fail('ORGANIZATION_NOT_FOUND')
})

export const open = workflow(openOrganization, async ({ caller, origin, body, services }) => {
  const link = newSecret()
  const context = { caller, origin, services }
  const sender = await operatorSender(services, caller)
  const { organization, invitation, mail } = await transactAcross(
    context,
    'operator',
    openOrganization,
    async (crossTenant, record) => {
      const tx = crossTenant.of(newId())
      const organization = await createWithAddress(tx, { name: body.name.trim(), plan: body.plan })
      const invitation = await insertOwnerInvitation(tx, body.ownerEmail, body.ownerName, link.hash)
      const mail = await queueInvitationMail(tx, services.cipher, invitation, link, sender)
      await record(tx, { subject: organization.id, changed: ['name', 'plan'] })
      return { organization, invitation, mail }
    },
  )
  return { organization, invitation: await sendInvitationMail(services, invitation, mail) }
})

export const owner = workflow(inviteOwner, async ({ caller, origin, params, body, services }) => {
  const link = newSecret()
  const context = { caller, origin, services }
  const sender = await operatorSender(services, caller)
  const { invitation, mail } = await transactAcross(
    context,
    'operator',
    inviteOwner,
    async (crossTenant, record) => {
      const tx = crossTenant.of(params.id)
      if (!(await tx.first(organizationOf))) fail('ORGANIZATION_NOT_FOUND')
      if (await tx.first(memberWithEmail, { email: body.email.toLowerCase() })) fail('ALREADY_MEMBER')
      const invitation = await insertOwnerInvitation(tx, body.email, body.name, link.hash)
      const mail = await queueInvitationMail(tx, services.cipher, invitation, link, sender)
      await record(tx, { subject: invitation.id, changed: ['email', 'role'] })
      return { invitation, mail }
    },
  )
  return sendInvitationMail(services, invitation, mail)
})

export const update = workflow(
  updateOperatedOrganization,
  async ({ caller, origin, params, body, services }) => {
    const { reason, suspended, ...rest } = body
    if (suspended && reason === undefined) {
      const message = 'is required to suspend an organization'
      fail('VALIDATION_ERROR', { details: [{ path: 'reason', code: 'required', message }] })
    }
    const context = { caller, origin, services }
    return transactAcross(context, 'operator', updateOperatedOrganization, async (crossTenant, record) => {
      const tx = crossTenant.of(params.id)
      const before = (await tx.first(lockOrganization)) ?? fail('ORGANIZATION_NOT_FOUND')
      if (suspended && params.id === caller.organizationId) fail('NOT_ON_YOURSELF')
      const isSuspended = suspended ?? before.suspendedAt !== null
      const next = {
        ...before,
        ...rest,
        suspendedReason: isSuspended ? (reason ?? before.suspendedReason) : null,
      }
      const after = await tx.one(setOperatorSettings, {
        plan: next.plan,
        modulesAdded: next.modulesAdded,
        modulesRemoved: next.modulesRemoved,
        capabilitiesAdded: next.capabilitiesAdded,
        capabilitiesRemoved: next.capabilitiesRemoved,
        suspended: isSuspended,
        reason: next.suspendedReason,
        publisherVerified: next.publisherVerified,
      })
      await recordAccessChange(tx, services, null)
      await record(tx, {
        subject: params.id,
        changed: changedFieldNames(Object.keys(after) as (keyof OperatedOrganization)[], before, after),
      })
      return after
    })
  },
)

function insertOwnerInvitation(tx: Tx, email: string, name: string | undefined, secretHash: string) {
  const greeting = name?.trim() ?? null
  const to = email.toLowerCase()
  return tx.one(upsertInvitation, {
    id: newId(),
    email: to,
    name: greeting,
    role: 'OWNER',
    roleId: null,
    secretHash,
    invitedBy: null,
  })
}

async function operatorSender(
  { database }: Pick<Services, 'database'>,
  { personId }: Caller,
): Promise<InvitationSender> {
  return { inviterId: null, language: await mailLanguageOf(database, personId) }
}
