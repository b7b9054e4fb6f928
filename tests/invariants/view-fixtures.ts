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

/** Valid calls of the operations on saved views; see fixtures.ts. */
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
  listPeople: async home => ({ query: { ids: [home.owner.id, (await home.make.member()).id] } }),
}
