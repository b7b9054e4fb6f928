import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { builtInRoles, capabilities, features, modules, plans } from '../permissions.ts'
import { Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'

const area = 'org'
const anyMember = { session: { permission: null } } as const
const managers = { session: { permission: 'ORG_MANAGE' } } as const

/** What a member may be: a built-in role, or CUSTOM together with the id of a role. */
export const memberRoles = [...builtInRoles, 'CUSTOM'] as const
export const MemberRole = OneOf(memberRoles)

export const Feature = OneOf(features)
export const Capability = OneOf(capabilities)
export const Module = OneOf(modules)
export const Plan = OneOf(plans)
export const Organization = Type.Object({
  id: Id,
  name: Type.String(),
  plan: OneOf(plans),
  modules: Type.Array(OneOf(modules)),
  capabilities: Type.Array(OneOf(capabilities)),
  features: Type.Array(OneOf(features)),
  publisherName: Nullable(Type.String({ description: 'What the marketplace calls it; null: nothing' })),
  publisherVerified: Type.Boolean({
    description: 'The operators of this server made sure that the name is its own',
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

export const getOrganization = operation('GET /', {
  area,
  summary: 'Get the organization: its plan, what that includes, and the features it has switched on',
  auth: anyMember,
  reply: Organization,
})

export const updateOrganization = operation('PATCH /', {
  area,
  summary: 'Rename the organization, choose its optional features and the name that the marketplace shows',
  description:
    '`features` is the whole list of what is switched on; leaving one out switches it off. Without a `publisherName` ' +
    'other organizations are not told who submitted an entry; another name is not verified.',
  auth: managers,
  body: {
    name: Type.Optional(Name(limits.organizationName)),
    features: Type.Optional(Type.Array(OneOf(features), { uniqueItems: true, maxItems: features.length })),
    publisherName: Type.Optional(Nullable(Name(limits.publisherName))),
  },
  reply: Organization,
})

export const listMembers = operation('GET /members', {
  area,
  summary: 'List the members, by name',
  description: '`search` finds a part of a name or of an e-mail address.',
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

export const updateMember = operation('PATCH /members/:personId', {
  area,
  summary: 'Give a member another role',
  description:
    'Only an owner makes or unmakes owners, and one owner always stays. Nobody can give a role that may do more than their own. Takes effect within two seconds on every process.',
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
    'Everybody may remove themselves; removing somebody else needs ORG_MANAGE. Their sessions lose this organization; what they wrote still names them.',
  auth: anyMember,
  params: { personId: Id },
  errors: ['MEMBER_NOT_FOUND', 'OWNER_ONLY', 'LAST_OWNER'],
})
