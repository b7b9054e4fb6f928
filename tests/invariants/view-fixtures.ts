import {
  createProvisioningToken,
  listProvisioningTokens,
  revokeProvisioningToken,
} from '#contract/identity/provisioning.ts'
import { createSavedView } from '#contract/identity/views.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A shared view of a list that every member reads. */
async function view({ owner, secret }: Home): Promise<string> {
  const { id } = await owner.call(createSavedView, {
    body: { list: 'members', name: `View ${secret}`, filters: { search: secret }, isShared: true },
  })
  return id
}
const filters = (home: Home) => ({ search: home.name('Sought'), role: ['OWNER', 'ADMIN'] })

/** A token of an identity provider, the only one: an organization has few. */
async function provisioningToken({ owner, secret }: Home): Promise<string> {
  const { items } = await owner.call(listProvisioningTokens, {})
  for (const { id } of items) await owner.call(revokeProvisioningToken, { params: { id } })
  return (await owner.call(createProvisioningToken, { body: { name: `Provider ${secret}` } })).id
}

/** Valid calls of the operations on saved views and tokens of identity providers; see fixtures.ts. */
export const viewFixtures: Record<string, Fixture> = {
  listSavedViews: async home => {
    await view(home)
    return { query: { list: 'members' } }
  },
  createSavedView: async home => ({
    body: { list: 'members', name: home.name('View'), filters: filters(home), isShared: false },
  }),
  updateSavedView: async home => ({
    params: { id: await view(home) },
    body: { name: home.name('View'), filters: filters(home), isShared: true },
  }),
  deleteSavedView: async home => ({ params: { id: await view(home) } }),
  createProvisioningToken: async home => {
    await provisioningToken(home)
    return { body: { name: home.name('Provider'), expiresInDays: 30 } }
  },
  listProvisioningTokens: async home => {
    await provisioningToken(home)
    return {}
  },
  revokeProvisioningToken: async home => ({ params: { id: await provisioningToken(home) } }),
  listPeople: async home => ({ query: { ids: [home.owner.id, (await home.make.member()).id] } }),
}
