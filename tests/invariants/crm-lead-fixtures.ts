import { createLead } from '#contract/crm/leads.ts'
import type { Input } from '#contract/operation.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const include = ['scoring', 'notes']

/** A lead with every field. */
export async function lead(
  home: Home,
  input: Partial<Input<typeof createLead>['body']> = {},
): Promise<{ id: string }> {
  const { owner, secret, make } = home
  const { lead } = await owner.call(createLead, {
    body: {
      email: `${home.name('lead').replaceAll(' ', '-')}@${secret}.test`,
      phone: '+34600123456',
      firstName: `Ada ${secret}`,
      lastName: secret,
      company: `Company ${secret}`,
      source: secret,
      stage: `Stage ${secret}`,
      assigneeId: (await make.member()).id,
      notes: `Said in ${secret}`,
      score: 50,
      temperature: 'WARM',
      ...input,
    },
  })
  return lead
}

const leadInput = async (home: Home) => ({
  email: home.email(),
  phone: `600 ${home.mark}`,
  firstName: `Grace ${home.mark}`,
  lastName: home.name('Lead'),
  company: home.name('Company'),
  source: home.mark,
  stage: `Stage ${home.mark}`,
  assigneeId: (await home.make.member()).id,
  notes: `Said in ${home.mark}`,
  score: 70,
  temperature: 'HOT',
})
const times = { from: '2020-01-01T00:00:00.000Z', to: '2099-01-01T00:00:00.000Z' }

/** Valid calls of the operations on leads; see fixtures.ts. */
export const crmLeadFixtures: Record<string, Fixture> = {
  createLead: async home => ({ query: { include }, body: await leadInput(home) }),
  listLeads: async home => {
    const assigneeId = (await home.make.member()).id
    const { id } = await lead(home, { assigneeId })
    return [
      { query: { ids: [id], include } },
      { query: { page: 1, limit: 100, status: ['NEW'], orderBy: 'score', order: 'desc', include } },
      {
        query: {
          page: 1,
          limit: 100,
          isConverted: false,
          assigneeId,
          source: home.secret,
          stage: `Stage ${home.secret}`,
          temperature: 'WARM',
          scoreFrom: 0,
          scoreTo: 100,
          include,
          createdFrom: times.from,
          createdTo: times.to,
          updatedFrom: times.from,
          updatedTo: times.to,
        },
      },
    ]
  },
  readLeadValues: async home => {
    await lead(home)
    return {}
  },
  searchLeads: async home => {
    await lead(home)
    return [
      { query: { q: home.secret, page: 1, limit: 100, includeClosed: true, include } },
      { query: { q: home.secret, status: ['NEW'] } },
    ]
  },
  findLeadByEmail: async home => {
    const email = `${home.name('lead').replaceAll(' ', '-')}@${home.secret}.test`
    await lead(home, { email })
    return { query: { email, include } }
  },
  readLead: async home => ({ params: { id: (await lead(home)).id }, query: { include } }),
  updateLead: async home => ({
    params: { id: (await lead(home)).id },
    query: { include },
    body: await leadInput(home),
  }),
  scoreLead: async home => ({
    params: { id: (await lead(home)).id },
    body: { score: 90, temperature: 'HOT', reason: `Asked in ${home.mark}` },
  }),
  qualifyLead: async home => ({
    params: { id: (await lead(home)).id },
    body: { reason: `Met in ${home.mark}`, source: 'manual' },
  }),
  disqualifyLead: async home => ({
    params: { id: (await lead(home)).id },
    body: { reason: `Left ${home.mark}`, source: 'bounce' },
  }),
}
