import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { MemberRole, memberRoles } from './organization.ts'

const area = 'org'
const auth = { session: { permission: 'ORG_MANAGE' } } as const
const mails = { bucket: 'invitations', times: limits.invitationsPerHour, windowSeconds: 3600 }
const tries = { bucket: 'accept-invitation', times: limits.invitationTriesPerHour, windowSeconds: 3600 }
const Secret = Text(limits.invitationSecret, 20)

const fields = {
  id: Id,
  email: Type.String(),
  name: Nullable(Type.String()),
  role: MemberRole,
  roleId: Nullable(Id),
  invitedBy: Nullable(Id),
  createdAt: Time,
  expiresAt: Time,
  sentAt: Nullable(Time),
}
export const Invitation = Type.Object(fields)
export type Invitation = Static<typeof Invitation>
export const SentInvitation = Type.Object({
  ...fields,
  mailSent: Type.Boolean({
    description: 'False: the mail server has not accepted it yet. The server tries again for about a day.',
  }),
})

export const listInvitations = operation('GET /invitations', {
  area,
  summary: 'List the open invitations, newest first',
  description: 'Expired invitations stay in the list until they are sent again or revoked.',
  auth,
  query: pageQuery,
  reply: Page(Invitation),
})

export const createInvitation = operation('POST /invitations', {
  announces: { event: 'invitation.changed', change: 'created' },
  area,
  summary: 'Invite somebody by e-mail',
  description:
    'The mail carries a link that works once and for seven days. Another invitation to the same address replaces the open one, and the older link stops working.',
  auth,
  body: {
    email: Email,
    name: Type.Optional(Name(limits.personName)),
    role: MemberRole,
    roleId: Type.Optional(Id),
  },
  status: 201,
  reply: SentInvitation,
  errors: ['ROLE_NOT_FOUND', 'OWNER_ONLY', 'ALREADY_MEMBER'],
  limit: mails,
})

export const inviteMany = operation('POST /invitations/bulk', {
  area,
  summary: `Invite up to ${limits.invitationsAtOnce} addresses to one role`,
  description:
    'Each address has its own result, in the order of the request, and an invalid one does not prevent the others. The invitations are created together. With `preview`, nothing is created and no mail is sent; the results say what would happen.',
  auth,
  body: {
    emails: Type.Array(Text(limits.email, 1), { minItems: 1, maxItems: limits.invitationsAtOnce }),
    role: MemberRole,
    roleId: Type.Optional(Id),
    preview: Type.Optional(Type.Boolean()),
  },
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        email: Type.String({ description: 'As in the request' }),
        result: OneOf(['INVITED', 'INVITED_AGAIN', 'ALREADY_MEMBER', 'DUPLICATE', 'INVALID'], {
          description: 'INVITED_AGAIN: replaces an open invitation, whose link stops working',
        }),
        invitation: Nullable(SentInvitation),
      }),
    ),
    preview: Type.Boolean(),
  }),
  errors: ['ROLE_NOT_FOUND', 'OWNER_ONLY'],
  limit: {
    bucket: 'bulk-invitations',
    times: limits.bulkInvitationsPerHour,
    windowSeconds: 3600,
  },
})

export const sendInvitation = operation('POST /invitations/:id/send', {
  announces: { event: 'invitation.changed' },
  area,
  summary: 'Send an invitation again, with a new link for seven days',
  auth,
  params: { id: Id },
  body: {},
  bodyOptional: true,
  reply: SentInvitation,
  errors: ['INVITATION_NOT_FOUND', 'OWNER_ONLY'],
  limit: mails,
})

export const revokeInvitation = operation('DELETE /invitations/:id', {
  announces: { event: 'invitation.changed', change: 'removed' },
  area,
  summary: 'Revoke an invitation',
  auth,
  params: { id: Id },
  errors: ['INVITATION_NOT_FOUND'],
})

export const readInvitation = operation('POST /invitations/read', {
  area: 'auth',
  summary: 'Read an invitation by the secret from its mail',
  description: 'A POST, so that the secret appears in no URL and no log.',
  auth: { public: true },
  body: { secret: Secret },
  reply: Type.Object({
    organizationId: Id,
    organizationName: Type.String(),
    email: Type.String(),
    name: Nullable(Type.String()),
    role: OneOf(memberRoles),
    expiresAt: Time,
    isNew: Type.Boolean({ description: 'True: no account has this address yet.' }),
  }),
  errors: ['INVITATION_NOT_FOUND'],
  limit: tries,
})

export const acceptInvitationSignedIn = operation('POST /invitations/accept-signed-in', {
  area: 'auth',
  summary: 'Accept an invitation to the address of the signed-in person',
  description: 'For people who are signed in, with or without a password.',
  announces: { event: 'member.changed', change: 'created' },
  auth: { account: true },
  body: { secret: Secret },
  status: 201,
  reply: Type.Object({
    personId: Id,
    organizationId: Id,
    email: Type.String(),
    isNew: Type.Boolean(),
    role: Nullable(Type.String()),
  }),
  errors: ['INVITATION_NOT_FOUND', 'ALREADY_MEMBER'],
  limit: tries,
})
