import { createInvitation } from '#contract/identity/invitations.ts'
import type { UnitKind } from '#contract/identity/units.ts'
import { newId } from '#platform/ids.ts'
import { invitationSecret } from '#tests/outbox.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

/**
 * How to make good calls of every operation, by the name of its const in contract/. Each call succeeds on fresh
 * things of the given organization, and each text that the operation takes stands in one of the calls. A law
 * that meets an operation without a fixture fails: add it here.
 */
type Fixture = (home: Home) => Promise<Call | Call[]>

const nothing: Fixture = async () => ({})
const page = { limit: 100, offset: 0 }

const sessions: Record<string, Fixture> = {
  getSessionToken: async ({ organization }) => ({ query: { organizationId: organization.id } }),
  createStreamToken: async () => ({ body: {} }),
  listOwnOrganizations: nothing,
  readCaller: nothing,
}

const organization: Record<string, Fixture> = {
  getOrganization: nothing,
  updateOrganization: async home => ({ body: { name: home.name('Company'), features: ['marketplace'] } }),
  listMembers: async home => {
    const member = await home.make.member()
    const roleId = await home.make.role()
    return [{ query: { ...page, search: member.name } }, { query: { ...page, role: 'CUSTOM', roleId } }]
  },
  getMember: async home => ({ params: { personId: (await home.make.member()).id } }),
  updateMember: async home => [
    { params: { personId: (await home.make.member()).id }, body: { role: 'ADMIN' } },
    {
      params: { personId: (await home.make.member()).id },
      body: { role: 'CUSTOM', roleId: await home.make.role() },
    },
  ],
  removeMember: async home => ({ params: { personId: (await home.make.member()).id } }),
  listAudit: async home => ({
    query: {
      limit: 100,
      actorId: home.owner.id,
      subject: await home.make.role(),
      operation: 'POST /api/org/roles',
      from: '2020-01-01T00:00:00.000Z',
      to: '2099-01-01T00:00:00.000Z',
    },
  }),
  verifyAudit: nothing,
}

const roles: Record<string, Fixture> = {
  listRoles: async () => ({ query: page }),
  createRole: async home => ({ body: { name: home.name('Role'), permissions: ['STUDIO_VIEW'] } }),
  getRole: async home => ({ params: { id: await home.make.role() } }),
  updateRole: async home => ({
    params: { id: await home.make.role() },
    body: { name: home.name('Role'), permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] },
  }),
  deleteRole: async home => ({ params: { id: await home.make.role() } }),
}

const invitations: Record<string, Fixture> = {
  listInvitations: async () => ({ query: page }),
  createInvitation: async home => [
    { body: { email: home.email(), name: home.name('Guest'), role: 'ADMIN' } },
    { body: { email: home.email(), role: 'CUSTOM', roleId: await home.make.role() } },
  ],
  sendInvitation: async home => ({ params: { id: (await home.make.invitation()).id }, body: {} }),
  revokeInvitation: async home => ({ params: { id: (await home.make.invitation()).id } }),
  readInvitation: async home => ({ body: { secret: (await home.make.invitation()).secret } }),
  acceptInvitation: async home => {
    const { secret } = await home.make.invitation()
    return { body: { secret, name: home.name('Guest'), password: 'Vierzig blaue Traktoren' } }
  },
  acceptInvitationSignedIn: async home => ({ body: { secret: await invitedElsewhere(home) } }),
}

/** The secret of an invitation that another organization sent to the owner. */
async function invitedElsewhere({ world, owner }: Home): Promise<string> {
  const inviter = await (await world.organization()).person({ role: 'OWNER' })
  await inviter.call(createInvitation, { body: { email: owner.email, role: 'MEMBER' } })
  return invitationSecret(world, owner.email)
}

function unitFixtures(kind: UnitKind, noun: string): Record<string, Fixture> {
  return {
    [`list${noun}s`]: async home => ({ query: { ...page, search: home.secret } }),
    [`create${noun}`]: async home => ({ body: { name: home.name('Unit') } }),
    [`rename${noun}`]: async home => ({
      params: { id: await home.make.unit(kind) },
      body: { name: home.name('Unit') },
    }),
    [`delete${noun}`]: async home => ({ params: { id: await home.make.unit(kind) } }),
    [`list${noun}Members`]: async home => ({ params: { id: await home.make.unit(kind) }, query: page }),
    [`add${noun}Member`]: async home => ({
      params: { id: await home.make.unit(kind), personId: (await home.make.member()).id },
    }),
    [`remove${noun}Member`]: async home => ({
      params: { id: await home.make.unit(kind), personId: (await home.make.member()).id },
    }),
  }
}

const operator: Record<string, Fixture> = {
  listOrganizations: async () => ({ query: { ...page, search: 'Twin' } }),
  openOrganization: async home => ({
    body: {
      name: home.name('Company'),
      plan: 'TEAM',
      ownerEmail: home.email(),
      ownerName: home.name('Owner'),
    },
  }),
  inviteOwner: async home => ({
    params: { id: (await home.world.organization()).id },
    body: { email: home.email(), name: home.name('Owner') },
  }),
  getOperatedOrganization: async ({ organization }) => ({ params: { id: organization.id } }),
  updateOperatedOrganization: async home => ({
    params: { id: (await home.world.organization()).id },
    body: {
      plan: 'BUSINESS',
      modulesAdded: ['card_payments'],
      modulesRemoved: ['studio'],
      capabilitiesAdded: ['finance.direct_debit'],
      capabilitiesRemoved: ['crm.leads'],
      suspended: true,
      reason: `They did not pay for a year, says ${home.mark}`,
    },
  }),
  findPeople: async home => ({ query: { email: (await home.make.member()).email } }),
  lockPerson: async home => ({
    params: { id: (await home.make.member()).id },
    body: { reason: `Wanted in ${home.mark}` },
  }),
  unlockPerson: async home => ({ params: { id: (await home.make.member()).id }, body: {} }),
}

const onAsset: Fixture = async home => ({ params: { id: (await home.make.asset()).id } })

const studio: Record<string, Fixture> = {
  createAsset: async home => ({
    body: {
      type: 'SKILL',
      name: home.name('Asset'),
      description: `For ${home.mark}`,
      bodyMarkdown: `Written in ${home.mark}`,
      frontmatter: { note: home.mark },
      iconName: 'spark',
      color: '210 40% 50%',
      visibility: 'DEPARTMENT',
      departments: [await home.make.unit('DEPARTMENT')],
      collectionIds: [await home.make.collection()],
      tags: [home.mark],
      version: '1.2.3',
    },
  }),
  listAssets: async home => {
    const { organization, owner, world } = home
    const { id } = await home.make.asset()
    const collectionId = await home.make.collection()
    await world.sql(
      'insert into collection_asset (organization_id, collection_id, asset_id, added_by) values ($1, $2, $3, $4)',
      [organization.id, collectionId, id, owner.id],
    )
    const entityId = home.name('ticket')
    await world.sql(
      `insert into asset_link (organization_id, id, asset_id, entity_type, entity_id, created_by)
       values ($1, $2, $3, 'ticket', $4, $5)`,
      [organization.id, newId(), id, entityId, owner.id],
    )
    return [
      { query: { ...page, search: home.secret, authorId: home.owner.id, collectionId, orderBy: 'name' } },
      { query: { ...page, entityType: 'ticket', entityId } },
    ]
  },
  readAssetBySlug: async home => ({ params: { slug: (await home.make.asset()).slug } }),
  readAsset: onAsset,
  updateAsset: async home => {
    const { id } = await home.make.asset()
    const name = home.name('Asset')
    return [
      {
        params: { id },
        body: {
          name,
          slug: name.toLowerCase().replaceAll(' ', '-'),
          description: `Still for ${home.mark}`,
          bodyMarkdown: `Written again in ${home.mark}`,
          frontmatter: { note: `${home.mark} again` },
          iconName: 'flame',
          color: '0 40% 50%',
          visibility: 'DEPARTMENT',
          departments: [await home.make.unit('DEPARTMENT')],
          tags: [`${home.mark}-again`],
          changelog: `Better for ${home.mark}`,
          amend: false,
        },
      },
    ]
  },
  removeAsset: onAsset,
  publishAsset: onAsset,
  archiveAsset: onAsset,
  unarchiveAsset: onAsset,
  verifyAsset: onAsset,
  duplicateAsset: async home => ({
    params: { id: (await home.make.asset()).id },
    body: { name: home.name('Copy') },
  }),
  useAsset: async home => ({
    params: { id: (await home.make.asset()).id },
    body: { entityType: 'ticket', entityId: home.name('ticket') },
  }),
  thumbsUpAsset: onAsset,
  thumbsDownAsset: onAsset,
  openCatalogStream: async () => ({ query: { lastEventId: '1' } }),
}

export const fixtures: Record<string, Fixture> = {
  ...sessions,
  ...organization,
  ...roles,
  ...invitations,
  ...unitFixtures('DEPARTMENT', 'Department'),
  ...unitFixtures('WORKSPACE', 'Workspace'),
  ...unitFixtures('GROUP', 'Group'),
  ...operator,
  ...studio,
}

/** The good calls of an operation. */
export async function callsOf(name: string, home: Home): Promise<Call[]> {
  const fixture = fixtures[name]
  if (!fixture) throw new Error(`No law knows how to call ${name}: add it to tests/laws/fixtures.ts`)
  return [await fixture(home)].flat()
}
