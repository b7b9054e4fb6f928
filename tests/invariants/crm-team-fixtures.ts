import { qualifyLead } from '#contract/crm/lead-moves.ts'
import { newId } from '#platform/ids.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A lead of the owner. */
function lead({ owner, secret }: Home): Promise<{ id: string }> {
  const [firstName, lastName] = [`Ada ${secret}`, `King ${secret}`]
  const input = { firstName, lastName, company: `Engines of ${secret}`, notes: `Said in ${secret}` }
  return makeLead(owner, { email: `${secret}@example.test`, ...input })
}

/** An import of the owner that has ended, or that runs without a worker. */
async function csvImport(
  { server, organization, owner, secret }: Home,
  table: 'lead_import' | 'client_import',
  isRunning: boolean,
): Promise<string> {
  const id = newId()
  await server.sql(
    `update ${table} set status = 'DONE', ended_at = now() where organization_id = $1 and status = 'RUNNING'`,
    [organization.id],
  )
  await insertRows(server, table, [
    {
      organization_id: organization.id,
      id,
      file_name: `${secret}.csv`,
      status: isRunning ? 'RUNNING' : 'DONE',
      created_by: owner.id,
      origin: {},
      columns: { read: ['email'], ignored: [secret] },
      total: 1,
      next_run_at: secondsAgo(-86_400),
      ended_at: isRunning ? null : new Date(),
    },
  ])
  return id
}

/** Valid calls of the operations of the team; see fixtures.ts. */
export const crmTeamFixtures: Record<string, Fixture> = {
  moveLead: async home => ({
    params: { id: (await lead(home)).id },
    body: { status: 'CONTACTED', reason: `Called in ${home.mark}` },
  }),
  changeLeads: async home => ({
    body: {
      ids: [(await lead(home)).id, (await lead(home)).id],
      status: 'CONTACTED',
      stage: home.mark,
      assigneeId: home.owner.id,
      reason: `Called in ${home.mark}`,
    },
  }),
  importLeads: async home => {
    const value = `email;firstName\r\nada@example.test;Ada ${home.mark}\r\nnobody;\r\n`
    return [
      { form: [{ name: 'file', value, filename: 'leads.csv' }] },
      {
        form: [
          { name: 'dryRun', value: 'true' },
          { name: 'file', value, filename: 'leads.csv' },
        ],
      },
    ]
  },
  listLeadImports: async home => {
    await csvImport(home, 'lead_import', false)
    return { query: { limit: 1, offset: 1 } }
  },
  readLeadImport: async home => ({ params: { id: await csvImport(home, 'lead_import', false) } }),
  cancelLeadImport: async home => ({ params: { id: await csvImport(home, 'lead_import', true) } }),
  importClients: async home => {
    const value = `name;taxId\r\nAda ${home.mark};B1\r\n;\r\n`
    return [
      { form: [{ name: 'file', value, filename: 'clients.csv' }] },
      {
        form: [
          { name: 'dryRun', value: 'true' },
          { name: 'file', value, filename: 'clients.csv' },
        ],
      },
    ]
  },
  listClientImports: async home => {
    await csvImport(home, 'client_import', false)
    return { query: { limit: 1, offset: 1 } }
  },
  readClientImport: async home => ({ params: { id: await csvImport(home, 'client_import', false) } }),
  cancelClientImport: async home => ({ params: { id: await csvImport(home, 'client_import', true) } }),
  exportLeads: async home => {
    await lead(home)
    return [{}, { query: { status: ['NEW', 'LOST'] } }]
  },
  listLeadHistory: async home => {
    const { id } = await lead(home)
    await home.owner.call(qualifyLead, { params: { id }, body: { reason: `Met in ${home.secret}` } })
    return { params: { id }, query: { limit: 1, offset: 1 } }
  },
}
