import { createInvitation } from '#contract/identity/invitations.ts'
import { type UnitKind, units } from '#contract/identity/units.ts'
import { readAsset, removeAsset } from '#contract/studio/assets.ts'
import { addToCollection, createCollection } from '#contract/studio/collections.ts'
import { addressOfFile } from '#contract/studio/files.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { createLink } from '#contract/studio/links.ts'
import { createShare } from '#contract/studio/shares.ts'
import { createVersion } from '#contract/studio/versions.ts'
import { newId } from '#platform/ids.ts'
import { findIn } from '#tests/support/elements.ts'
import { insertOperator } from '#tests/support/identity/people.ts'
import { invitationSecret } from '#tests/support/outbox.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { zipOfFiles } from '#tests/support/studio/zip.ts'
import type { Call } from './ask.ts'
import { billingChargeFixtures } from './billing-charge-fixtures.ts'
import { billingDirectDebitFixtures } from './billing-direct-debit-fixtures.ts'
import { billingGatewayFixtures } from './billing-gateway-fixtures.ts'
import { billingInvoiceFixtures } from './billing-invoice-fixtures.ts'
import { billingRefundFixtures } from './billing-refund-fixtures.ts'
import { chatAgentFixtures } from './chat-agent-fixtures.ts'
import { chatChannelFixtures } from './chat-channel-fixtures.ts'
import { chatGrantFixtures } from './chat-grant-fixtures.ts'
import { chatMessageFixtures } from './chat-message-fixtures.ts'
import { crmBudgetFixtures } from './crm-budget-fixtures.ts'
import { crmCustomerFixtures } from './crm-customer-fixtures.ts'
import { crmLeadFixtures } from './crm-lead-fixtures.ts'
import { crmSignatureFixtures } from './crm-signature-fixtures.ts'
import { crmSyncFixtures } from './crm-sync-fixtures.ts'
import { crmTeamFixtures } from './crm-team-fixtures.ts'
import { errorFixtures } from './error-fixtures.ts'
import type { Home } from './home.ts'
import { installFixtures } from './install-fixtures.ts'
import { integrationFixtures } from './integration-fixtures.ts'
import { marketplaceFixtures } from './marketplace-fixtures.ts'
import { reviewFixtures } from './review-fixtures.ts'
import { reviewQueueFixtures } from './review-queue-fixtures.ts'
import { toolFixtures } from './tool-fixtures.ts'
import { viewFixtures } from './view-fixtures.ts'
import { webhookFixtures } from './webhook-fixtures.ts'

/**
 * Valid calls of every operation, by the name of its const in contract/. Each call succeeds on new objects of
 * the given organization, and together the calls use every text of the operation. An operation without a
 * fixture fails the tests: add it here.
 */
type Fixture = (home: Home) => Promise<Call | Call[]>

const nothing: Fixture = async () => ({})
const page = { limit: 100, offset: 0 }

const sessions: Record<string, Fixture> = {
  getSessionToken: async ({ organization }) => [
    { query: { organizationId: organization.id } },
    { query: { organization: organization.id } },
  ],
  createStreamToken: async () => ({ body: {} }),
  openPeopleStream: async () => ({ query: { lastEventId: '1.1' } }),
  listOwnOrganizations: nothing,
  readCaller: nothing,
  updateCaller: async home => ({ body: { name: home.name('Owner') } }),
  readPreferences: nothing,
  setPreferences: async ({ organization }) => ({
    body: {
      language: 'es',
      theme: 'dark',
      density: 'compact',
      singleKeyShortcuts: false,
      lastOrganizationId: organization.id,
    },
  }),
}

const organization: Record<string, Fixture> = {
  getOrganization: nothing,
  readOverview: nothing,
  listInbox: nothing,
  markInboxDone: async () => [
    { body: { itemId: `LEAD_ASSIGNED:${newId()}` } },
    { body: { until: '2026-01-01T00:00:00.000Z' } },
  ],
  updateOrganization: async home => {
    await home.server.sql('delete from organization_address where leads_to = $1 and retired_at is not null', [
      home.organization.id,
    ])
    return {
      body: {
        name: home.name('Company'),
        address: home.name('company').replaceAll(' ', '-').slice(-40),
        features: ['marketplace'],
        publisherName: home.name('Publisher'),
      },
    }
  },
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
  exportAudit: async home => ({
    query: {
      actorId: home.owner.id,
      subject: await home.make.role(),
      operation: 'POST /api/org/roles',
      from: '2020-01-01T00:00:00.000Z',
      to: '2099-01-01T00:00:00.000Z',
    },
  }),
  verifyAudit: nothing,
  listMemberUnits: async home => ({ params: { personId: (await home.make.member()).id }, query: page }),
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
  inviteMany: async home => [
    // one address: a second call with the same one finds its open invitation
    { body: { emails: [home.email()], role: 'MEMBER', preview: false } },
    {
      body: {
        emails: [home.email(), home.email()],
        role: 'CUSTOM',
        roleId: await home.make.role(),
        preview: true,
      },
    },
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

/** The secret of another organization's invitation to the owner. */
async function invitedElsewhere({ server, owner }: Home): Promise<string> {
  const inviter = await (await server.organization()).person({ role: 'OWNER' })
  await inviter.call(createInvitation, { body: { email: owner.email, role: 'MEMBER' } })
  return invitationSecret(server, owner.email)
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
    [`remove${noun}Member`]: async home => {
      const params = { id: await home.make.unit(kind), personId: (await home.make.member()).id }
      const { addMember } = findIn(units, unit => unit.kind === kind)
      await home.owner.call(addMember, { params })
      return { params }
    },
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
    params: { id: (await home.server.organization()).id },
    body: { email: home.email(), name: home.name('Owner') },
  }),
  getOperatedOrganization: async ({ organization }) => ({ params: { id: organization.id } }),
  updateOperatedOrganization: async home => ({
    params: { id: (await home.server.organization()).id },
    body: {
      plan: 'BUSINESS',
      modulesAdded: ['card_payments'],
      modulesRemoved: ['studio'],
      capabilitiesAdded: ['finance.direct_debit'],
      capabilitiesRemoved: ['crm.leads'],
      publisherVerified: true,
      suspended: true,
      reason: `They did not pay for a year, says ${home.mark}`,
    },
  }),
  listOperators: async () => ({ query: page }),
  addOperator: async home => ({ body: { email: (await home.make.member()).email } }),
  removeOperator: async home => {
    const member = await home.make.member()
    await insertOperator(home.server, member)
    return { params: { personId: member.id } }
  },
  readHealth: nothing,
  listOperatedMails: async () => ({ query: { kind: 'budget-signed-owner', state: 'QUEUED', ...page } }),
  findPeople: async home => ({ query: { email: (await home.make.member()).email } }),
  lockPerson: async home => ({
    params: { id: (await home.make.member()).id },
    body: { reason: `Wanted in ${home.mark}` },
  }),
  unlockPerson: async home => ({ params: { id: (await home.make.member()).id }, body: {} }),
}

const onAsset: Fixture = async home => ({ params: { id: (await home.make.asset()).id } })

/** An asset that is linked to a ticket. */
async function linked(home: Home): Promise<{ id: string; linkId: string; entityId: string }> {
  const { id } = await home.make.asset()
  const entityId = home.name('ticket')
  const body = { entityType: 'ticket', entityId, note: `For ${home.secret}` }
  const { id: linkId } = await home.owner.call(createLink, { params: { id }, body })
  return { id, linkId, entityId }
}

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
    const { id, entityId } = await linked(home)
    const collectionId = await home.make.collection()
    await home.owner.call(addToCollection, { params: { id: collectionId }, body: { assetId: id } })
    return [
      { query: { ...page, search: home.secret, authorId: home.owner.id, collectionId, orderBy: 'name' } },
      { query: { ...page, entityType: 'ticket', entityId } },
      { query: { ...page, tag: home.secret } },
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
      { params: { id }, body: { frontmatterText: `# ${home.mark} alone` } },
    ]
  },
  removeAsset: onAsset,
  listDeletedAssets: async home => {
    await home.owner.call(removeAsset, { params: { id: (await home.make.asset()).id } })
    return { query: page }
  },
  restoreAsset: async home => {
    const { id } = await home.make.asset()
    await home.owner.call(removeAsset, { params: { id } })
    return { params: { id } }
  },
  purgeAsset: async home => {
    const { id } = await home.make.asset()
    await home.owner.call(removeAsset, { params: { id } })
    return { params: { id } }
  },
  transferAsset: async home => ({
    params: { id: (await home.make.asset()).id },
    body: { authorId: (await home.make.member()).id },
  }),
  transferAssetsOf: async home => ({
    params: { personId: home.owner.id },
    body: { authorId: (await home.make.member()).id },
  }),
  publishAsset: onAsset,
  archiveAsset: onAsset,
  unarchiveAsset: async home => {
    const { id } = await home.make.asset()
    await home.owner.call(archiveAsset, { params: { id } })
    return { params: { id } }
  },
  verifyAsset: onAsset,
  duplicateAsset: async home => ({
    params: { id: (await home.make.asset()).id },
    body: { name: home.name('Copy') },
  }),
  useAsset: async home => ({
    params: { id: (await home.make.asset()).id },
    body: { entityType: 'ticket', entityId: home.name('ticket') },
  }),
  countAssetUses: onAsset,
  thumbsUpAsset: onAsset,
  thumbsDownAsset: onAsset,
  openCatalogStream: async () => ({ query: { lastEventId: '1' } }),
}

const versions: Record<string, Fixture> = {
  listVersions: async home => ({ params: { id: (await home.make.asset()).id }, query: page }),
  readVersion: async home => ({ params: { id: (await home.make.asset()).id, version: 'current' } }),
  createVersion: async home => [
    {
      params: { id: (await home.make.asset()).id },
      body: {
        version: '2.0.0',
        changelog: `Better for ${home.mark}`,
        description: `Still for ${home.mark}`,
        bodyMarkdown: `Written again in ${home.mark}`,
        frontmatter: { note: `${home.mark} again` },
        copyFiles: false,
        setCurrent: false,
      },
    },
    { params: { id: (await home.make.asset()).id }, body: { bump: 'minor' } },
    {
      params: { id: (await home.make.asset()).id },
      body: { bump: 'patch', frontmatterText: `# ${home.mark} alone` },
    },
  ],
  activateVersion: async home => {
    const { id } = await home.make.asset()
    const first = await home.owner.call(readAsset, { params: { id } })
    await home.owner.call(createVersion, { params: { id }, body: { bodyMarkdown: `Anew in ${home.secret}` } })
    return { params: { id, version: first.version } }
  },
  rollbackVersion: async home => ({
    params: { id: (await home.make.asset()).id, version: 'latest' },
    body: { changelog: `Back for ${home.mark}`, publish: true },
  }),
  diffVersions: async home => {
    const { id } = await home.make.asset()
    await home.owner.call(createVersion, { params: { id }, body: { bodyMarkdown: `Anew in ${home.secret}` } })
    return { params: { id, a: '1.0.0', b: 'latest' } }
  },
}

const onCollection: Fixture = async home => ({ params: { id: await home.make.collection() } })

/** A collection with one asset. */
async function filed({ make, owner }: Home): Promise<{ id: string; assetId: string }> {
  const [id, asset] = [await make.collection(), await make.asset()]
  await owner.call(addToCollection, { params: { id }, body: { assetId: asset.id } })
  return { id, assetId: asset.id }
}

const collections: Record<string, Fixture> = {
  listCollections: async home => {
    const parentId = await home.make.collection()
    const body = { name: home.name('Collection'), parentId }
    await home.owner.call(createCollection, { body })
    return [{ query: { ...page, parentId, tree: true } }, { query: page }]
  },
  createCollection: async home => ({
    body: {
      name: home.name('Collection'),
      parentId: await home.make.collection(),
      description: `For ${home.mark}`,
      iconName: 'box',
      color: '210 40% 50%',
      position: 3,
    },
  }),
  readCollection: onCollection,
  updateCollection: async home => ({
    params: { id: await home.make.collection() },
    body: {
      name: home.name('Collection'),
      parentId: await home.make.collection(),
      description: `Still for ${home.mark}`,
      iconName: 'flame',
      color: '0 40% 50%',
      position: 4,
    },
  }),
  removeCollection: onCollection,
  addToCollection: async home => ({
    params: { id: await home.make.collection() },
    body: { assetId: (await home.make.asset()).id },
  }),
  removeFromCollection: async home => ({ params: await filed(home) }),
  listCollectionAssets: async home => ({
    params: { id: (await filed(home)).id },
    query: { ...page, type: 'PROMPT', status: 'DRAFT', orderBy: 'recent' },
  }),
}

const attached = async (home: Home) => {
  const { id } = await home.make.asset()
  const file = await addFiles(home.owner, id, [
    [`${home.name('file').replaceAll(' ', '-')}.txt`, home.secret],
  ])
  return { id, version: 'current', fileId: file.id }
}

const files: Record<string, Fixture> = {
  uploadFiles: async home => ({
    params: { id: (await home.make.asset()).id, version: '1.0.0' },
    query: { overwrite: true },
    form: [
      { name: 'path', value: `for/${home.mark}.txt` },
      { name: 'file', value: `For ${home.mark}`, filename: 'a.txt' },
      { name: 'file', value: Buffer.from([0, 1, 255]), filename: 'b.bin' },
    ],
  }),
  listFiles: async home => {
    const { id, version } = await attached(home)
    return { params: { id, version }, query: page }
  },
  addressOfFile: async home => ({ params: await attached(home) }),
  removeFile: async home => ({ params: await attached(home) }),
  openFile: async home => {
    const { url } = await home.owner.call(addressOfFile, { params: await attached(home) })
    const { pathname, searchParams } = new URL(url)
    const { expires, ...query } = Object.fromEntries(searchParams)
    return { params: { fileId: pathname.split('/').at(-1) }, query: { ...query, expires: Number(expires) } }
  },
}

const packages: Record<string, Fixture> = {
  exportAsset: async home => {
    const { id } = await home.make.asset()
    return {
      params: { id },
      query: { version: 'current', layout: 'flat', profile: 'claude-code', sidecar: false },
    }
  },
  importAsset: async home => {
    const text = `---\ndescription: For ${home.mark}\n---\nWritten in ${home.mark}`
    const value = zipOfFiles({ 'imported.prompt.md': text, 'a.txt': `For ${home.mark}` })
    return { query: { dryRun: false }, form: [{ name: 'file', value, filename: 'imported.zip' }] }
  },
}

const links: Record<string, Fixture> = {
  createLink: async home => ({
    params: { id: (await home.make.asset()).id },
    body: { entityType: 'ticket', entityId: home.name('ticket'), note: `For ${home.mark}` },
  }),
  listLinks: async home => ({ params: { id: (await linked(home)).id }, query: page }),
  removeLink: async home => {
    const { id, linkId } = await linked(home)
    return { params: { id, linkId } }
  },
  listByEntity: async home => ({
    query: { ...page, entityType: 'ticket', entityId: (await linked(home)).entityId },
  }),
}

/** The same time for both organizations, so that it is not a private text. */
const expiresAt = new Date(Date.now() + 86_400_000).toISOString()

/** An asset that is shared with a member. */
async function shared({ make, owner }: Home): Promise<{ id: string; shareId: string }> {
  const [{ id }, member] = [await make.asset(), await make.member()]
  const body = { granteeType: 'USER', granteeId: member.id } as const
  const { id: shareId } = await owner.call(createShare, { params: { id }, body })
  return { id, shareId }
}

const shares: Record<string, Fixture> = {
  createShare: async home => {
    const params = { id: (await home.make.asset()).id }
    const granteeId = (await home.make.member()).id
    const grantees = [{ granteeType: 'GROUP', granteeId: await home.make.unit('GROUP') }]
    return [
      { params, body: { granteeType: 'USER', granteeId, accessLevel: 'EDIT', expiresAt } },
      { params, body: { grantees, expiresAt: null } },
    ]
  },
  listShares: async home => ({ params: { id: (await shared(home)).id }, query: page }),
  removeShare: async home => ({ params: await shared(home) }),
}

export const fixtures: Record<string, Fixture> = {
  ...sessions,
  ...organization,
  ...roles,
  ...invitations,
  ...unitFixtures('DEPARTMENT', 'Department'),
  ...unitFixtures('WORKSPACE', 'Workspace'),
  ...unitFixtures('GROUP', 'Group'),
  ...viewFixtures,
  ...operator,
  ...studio,
  ...versions,
  ...collections,
  ...links,
  ...shares,
  ...files,
  ...packages,
  ...toolFixtures,
  ...marketplaceFixtures,
  ...installFixtures,
  ...reviewFixtures,
  ...reviewQueueFixtures,
  ...integrationFixtures,
  ...webhookFixtures,
  ...errorFixtures,
  ...chatChannelFixtures,
  ...chatMessageFixtures,
  ...chatGrantFixtures,
  ...chatAgentFixtures,
  ...crmBudgetFixtures,
  ...crmSignatureFixtures,
  ...crmCustomerFixtures,
  ...crmLeadFixtures,
  ...crmSyncFixtures,
  ...crmTeamFixtures,
  ...billingChargeFixtures,
  ...billingDirectDebitFixtures,
  ...billingGatewayFixtures,
  ...billingInvoiceFixtures,
  ...billingRefundFixtures,
}

/** The valid calls of an operation. */
export async function callsOf(name: string, home: Home): Promise<Call[]> {
  // with a certificate, a worker would seal what is signed, beside the calls that change nothing
  await home.server.sql('delete from seal_certificate')
  const fixture = fixtures[name]
  if (!fixture) throw new Error(`No law knows how to call ${name}: add it to tests/invariants/fixtures.ts`)
  return [await fixture(home)].flat()
}
