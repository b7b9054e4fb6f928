import { syncLeads } from '#contract/crm/leads.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import type { Call } from './ask.ts'
import { lead } from './crm-lead-fixtures.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** Valid calls of the operations for sync, erasure and personal data; see fixtures.ts. */
export const crmSyncFixtures: Record<string, Fixture> = {
  syncLeads: async home => {
    await lead(home)
    const { nextCursor: cursor } = await home.owner.call(syncLeads, { query: { limit: 1 } })
    return [
      { query: { cursor, limit: 100, include: ['scoring', 'notes'] } },
      { query: { updatedSince: '2020-01-01T00:00:00.000Z' } },
    ]
  },
  readLeadSyncStatus: async home => {
    await lead(home)
    const { client } = await makeApplication(home.server, home.organization, {
      name: home.name('Reader'),
      scopes: ['crm:leads:read'],
    })
    await client.call(syncLeads, {})
    return {}
  },
  listLeadDuplicates: async home => {
    await lead(home)
    return { params: { id: (await lead(home)).id } }
  },
  eraseLead: async home => ({
    params: { id: (await lead(home)).id },
    body: { reason: `Asked in ${home.mark}` },
  }),
  exportPersonalData: async home => ({ params: { id: (await lead(home)).id } }),
}
