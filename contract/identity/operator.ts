import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { capabilities, features, modules, plans } from '../permissions.ts'
import { Email, Id, Name, Nullable, OneOf, Page, pageQuery, Reason, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { SentInvitation } from './invitations.ts'

const area = 'operator'
const auth = { operator: true } as const
const Modules = Type.Array(OneOf(modules), { uniqueItems: true, maxItems: modules.length })
const Capabilities = Type.Array(OneOf(capabilities), { uniqueItems: true, maxItems: capabilities.length })

export const OperatedOrganization = Type.Object({
  id: Id,
  name: Type.String(),
  address: Type.String(),
  plan: OneOf(plans),
  modulesAdded: Type.Array(OneOf(modules)),
  modulesRemoved: Type.Array(OneOf(modules)),
  capabilitiesAdded: Type.Array(OneOf(capabilities)),
  capabilitiesRemoved: Type.Array(OneOf(capabilities)),
  features: Type.Array(OneOf(features)),
  publisherName: Nullable(Type.String()),
  publisherVerified: Type.Boolean(),
  suspendedAt: Nullable(Time),
  suspendedReason: Nullable(Type.String()),
  createdAt: Time,
})
export type OperatedOrganization = Static<typeof OperatedOrganization>

export const OperatedPerson = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  lockedAt: Nullable(Time),
  lockedReason: Nullable(Type.String()),
})
export type OperatedPerson = Static<typeof OperatedPerson>

export const listOrganizations = operation('GET /organizations', {
  area,
  summary: 'List the organizations of this server, by name',
  description: '`search` matches a part of the name.',
  auth,
  query: { ...pageQuery, search: Type.Optional(Text(limits.search, 1)) },
  reply: Page(OperatedOrganization),
})

export const openOrganization = operation('POST /organizations', {
  area,
  summary: 'Create an organization and invite its owner',
  auth,
  body: {
    name: Name(limits.organizationName),
    plan: OneOf(plans),
    ownerEmail: Email,
    ownerName: Type.Optional(Name(limits.personName)),
  },
  status: 201,
  reply: Type.Object({ organization: OperatedOrganization, invitation: SentInvitation }),
})

export const inviteOwner = operation('POST /organizations/:id/owner-invitations', {
  announces: { event: 'invitation.changed', change: 'created' },
  area,
  summary: 'Invite an owner, or send the invitation again with a new link',
  auth,
  params: { id: Id },
  body: { email: Email, name: Type.Optional(Name(limits.personName)) },
  status: 201,
  reply: SentInvitation,
  errors: ['ORGANIZATION_NOT_FOUND', 'ALREADY_MEMBER'],
})

export const getOperatedOrganization = operation('GET /organizations/:id', {
  area,
  summary: 'Get an organization: plan, exceptions from the plan, suspension',
  auth,
  params: { id: Id },
  reply: OperatedOrganization,
  errors: ['ORGANIZATION_NOT_FOUND'],
})

export const updateOperatedOrganization = operation('PATCH /organizations/:id', {
  announces: { event: 'organization.changed' },
  area,
  summary: 'Change the plan and its exceptions, suspend or resume an organization, verify its publisher name',
  description: `Only a publisher name that is set can be verified. A suspension needs a reason of at least ${limits.operatorReasonMin} characters. Changes take effect within two seconds on every process.`,
  auth,
  params: { id: Id },
  body: {
    plan: Type.Optional(OneOf(plans)),
    modulesAdded: Type.Optional(Modules),
    modulesRemoved: Type.Optional(Modules),
    capabilitiesAdded: Type.Optional(Capabilities),
    capabilitiesRemoved: Type.Optional(Capabilities),
    publisherVerified: Type.Optional(Type.Boolean()),
    suspended: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Reason(limits.operatorReason, limits.operatorReasonMin)),
  },
  reply: OperatedOrganization,
  errors: ['ORGANIZATION_NOT_FOUND', 'NOT_ON_YOURSELF'],
})

export const Operator = Type.Object({
  personId: Id,
  name: Type.String(),
  email: Type.String(),
  lockedAt: Nullable(Time),
  since: Time,
})
export type Operator = Static<typeof Operator>

export const listOperators = operation('GET /operators', {
  area,
  summary: 'List the operators of this server, longest in office first',
  auth,
  query: pageQuery,
  reply: Page(Operator),
})

export const addOperator = operation('POST /operators', {
  area,
  summary: 'Make a person with an account an operator',
  description:
    'By the exact e-mail address. A person outside the organization of the operators joins it as a member, and has every permission there while they are an operator.',
  auth,
  body: { email: Email },
  status: 201,
  reply: Operator,
  errors: ['PERSON_NOT_FOUND', 'ALREADY_OPERATOR'],
})

export const removeOperator = operation('DELETE /operators/:personId', {
  area,
  summary: 'End the rights of an operator',
  description: 'They stay a member of the organization of the operators. Nobody can remove themselves.',
  auth,
  params: { personId: Id },
  errors: ['PERSON_NOT_FOUND', 'NOT_ON_YOURSELF'],
})

export const findPeople = operation('GET /people', {
  area,
  summary: 'Find the account with an e-mail address',
  auth,
  query: { email: Email },
  reply: Type.Object({ items: Type.Array(OperatedPerson) }),
})

export const lockPerson = operation('POST /people/:id/lock', {
  announces: { event: 'member.changed' },
  area,
  summary: 'Lock a person: end their sessions and refuse new ones',
  auth,
  params: { id: Id },
  body: { reason: Reason(limits.operatorReason, limits.operatorLockReasonMin) },
  reply: OperatedPerson,
  errors: ['PERSON_NOT_FOUND', 'NOT_ON_YOURSELF'],
})

export const unlockPerson = operation('POST /people/:id/unlock', {
  announces: { event: 'member.changed' },
  area,
  summary: 'Let a locked person sign in again',
  auth,
  params: { id: Id },
  body: {},
  bodyOptional: true,
  reply: OperatedPerson,
  errors: ['PERSON_NOT_FOUND'],
})
