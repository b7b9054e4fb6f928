import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { builtInRoles, capabilities, features, modules, plans } from '../permissions.ts'
import { Id, Name, Named, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const unitKinds = ['DEPARTMENT', 'WORKSPACE', 'GROUP'] as const

const area = 'org'
const anyMember = { session: { permission: null } } as const
const managers = { session: { permission: 'ORG_MANAGE' } } as const

/** The role of a member: a built-in role, or CUSTOM with the id of a custom role. */
export const memberRoles = [...builtInRoles, 'CUSTOM'] as const
export const MemberRole = OneOf(memberRoles)

export const Feature = OneOf(features)
export const Capability = OneOf(capabilities)
export const Module = OneOf(modules)
export const Plan = OneOf(plans)
/** The address of an organization, which begins its URLs in the dashboard: `/o/acme-studio`. */
export const OrganizationAddress = Named(
  Type.String({
    minLength: limits.organizationAddressMin,
    maxLength: limits.organizationAddress,
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    description: 'Words of lower-case letters and digits, joined by hyphens',
  }),
)

export const Organization = Type.Object({
  id: Id,
  name: Type.String(),
  address: Type.String({ description: 'The part of its URLs: `/o/acme-studio`' }),
  plan: OneOf(plans),
  modules: Type.Array(OneOf(modules)),
  capabilities: Type.Array(OneOf(capabilities)),
  features: Type.Array(OneOf(features)),
  publisherName: Nullable(Type.String({ description: 'The name that the marketplace shows; null: none' })),
  publisherVerified: Type.Boolean({
    description: 'The operators of this server verified the name',
  }),
  createdAt: Time,
})

export const Member = Type.Object({
  personId: Id,
  name: Type.String(),
  email: Type.String(),
  role: MemberRole,
  roleId: Nullable(Id),
  roleName: Nullable(Type.String()),
  joinedAt: Time,
})
export type Member = Static<typeof Member>

export const getOrganization = operation('GET /', {
  area,
  summary: 'Get the organization: its plan, modules, capabilities and enabled features',
  auth: anyMember,
  reply: Organization,
})

export const updateOrganization = operation('PATCH /', {
  area,
  summary: 'Update the organization: its name, address, optional features and publisher name',
  description:
    'A former address keeps leading to the organization, and no other organization can take it. ' +
    '`features` is the whole list of enabled features; a feature that is left out is disabled. Without a `publisherName`, ' +
    'other organizations do not see who submitted an entry. A new name is not verified.',
  announces: { event: 'organization.changed' },
  auth: managers,
  body: {
    name: Type.Optional(Name(limits.organizationName)),
    address: Type.Optional(OrganizationAddress),
    features: Type.Optional(Type.Array(OneOf(features), { uniqueItems: true, maxItems: features.length })),
    publisherName: Type.Optional(Nullable(Name(limits.publisherName))),
  },
  reply: Organization,
  errors: ['ADDRESS_TAKEN', 'TOO_MANY_ADDRESSES'],
})

export const listMembers = operation('GET /members', {
  area,
  summary: 'List the members, by name',
  description: '`search` matches a part of a name or of an e-mail address.',
  auth: anyMember,
  query: {
    ...pageQuery,
    search: Type.Optional(Text(limits.search, 1)),
    role: Type.Optional(MemberRole),
    roleId: Type.Optional(Id),
  },
  reply: Page(Member),
})

export const getMember = operation('GET /members/:personId', {
  area,
  summary: 'Get a member',
  auth: anyMember,
  params: { personId: Id },
  reply: Member,
  errors: ['MEMBER_NOT_FOUND'],
})

export const listMemberUnits = operation('GET /members/:personId/units', {
  area,
  summary: 'List the departments, workspaces and groups of a member, by kind and name',
  auth: anyMember,
  params: { personId: Id },
  query: pageQuery,
  reply: Page(Type.Object({ id: Id, kind: OneOf(unitKinds), name: Type.String(), addedAt: Time })),
  errors: ['MEMBER_NOT_FOUND'],
})

export const updateMember = operation('PATCH /members/:personId', {
  area,
  summary: 'Change the role of a member',
  description:
    'Only an owner can add or remove owners, and one owner must remain. People can only assign roles with permissions that they have. Takes effect within two seconds on every process.',
  announces: { event: 'member.changed' },
  auth: managers,
  params: { personId: Id },
  body: { role: MemberRole, roleId: Type.Optional(Id) },
  reply: Member,
  errors: ['MEMBER_NOT_FOUND', 'ROLE_NOT_FOUND', 'OWNER_ONLY', 'LAST_OWNER'],
})

export const removeMember = operation('DELETE /members/:personId', {
  area,
  summary: 'Remove a member, or leave the organization',
  description:
    'Members can remove themselves; removing another member requires ORG_MANAGE. Their sessions lose access to this organization. Their content keeps their name.',
  announces: { event: 'member.changed', change: 'removed' },
  auth: anyMember,
  params: { personId: Id },
  errors: ['MEMBER_NOT_FOUND', 'OWNER_ONLY', 'LAST_OWNER'],
})
