import { makeBudgetPdfAddress } from '#contract/crm/budgets.ts'
import { createOpportunity } from '#contract/crm/opportunities.ts'
import { type MadeBudget, makeBudget, setLogo } from '#tests/support/crm/budgets.ts'
import { makeClient, makeContact } from '#tests/support/crm/leads-and-clients.ts'
import { defined } from '#tests/support/elements.ts'
import { makePng } from '#tests/support/pictures.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** The content of a budget with every optional field; each text contains `text`. */
export const offered = (text: string) => ({
  sections: [
    {
      title: `Phase of ${text}`,
      description: `First of ${text}`,
      items: [
        {
          name: `Design of ${text}`,
          description: `In colours of ${text}`,
          quantity: '2.5',
          unit: 'h',
          unitPriceCents: 6_000,
          optional: true,
          selected: true,
          discount: { kind: 'PERCENT' as const, value: '10' },
          taxes: [{ name: `IVA ${text}`.slice(0, 50), rate: '21' }],
        },
      ],
    },
  ],
  discounts: [{ name: `Off for ${text}`, kind: 'PERCENT' as const, value: '5' }],
  conditions: `Paid in ${text}`,
  notes: `Notes of ${text}`,
  internalNotes: `Said in ${text}`,
})

/** A budget of the owner with every optional field. */
export function budgetOf({ owner, secret }: Home): Promise<MadeBudget> {
  return makeBudget(owner, { title: `Budget of ${secret}`, ...offered(secret) })
}

/** The query of a short-lived address. */
export function addressQuery(path: string): Record<string, unknown> {
  const { expires, ...query } = Object.fromEntries(new URL(path, 'http://x').searchParams)
  return { ...query, expires: Number(expires) }
}

const onBudget: Fixture = async home => ({ params: { id: (await budgetOf(home)).id } })

async function fields(home: Home) {
  const { id: clientId } = await makeClient(home.owner)
  const opportunity = { title: home.name('Engines'), clientId }
  return {
    title: home.name('Budget'),
    clientId,
    currency: 'eur',
    issueDate: '2026-11-02',
    validUntil: '2999-12-02',
    contactId: (await makeContact(home.owner, { clientId })).id,
    opportunityId: (await home.owner.call(createOpportunity, { body: opportunity })).id,
    ownerId: (await home.make.member()).id,
    ...offered(home.mark),
  }
}

/** Valid calls of the operations on budgets and issuer details; see fixtures.ts. */
export const crmBudgetFixtures: Record<string, Fixture> = {
  readIssuer: async () => ({}),
  updateIssuer: async home => ({
    body: {
      legalName: home.name('Issuer'),
      taxId: `T-${home.mark}`,
      address: `Road ${home.mark}`,
      city: `Town ${home.mark}`,
      postalCode: '11001',
      country: 'ES',
      email: home.email(),
      phone: '956 000 000',
      currency: 'eur',
    },
  }),
  readLetterhead: async () => ({}),
  updateLetterhead: async home => ({
    body: {
      accentColor: '#1f5f3a',
      accountHolder: home.name('Holder'),
      iban: 'ES9121000418450200051332',
      bic: 'CAIXESBBXXX',
      footer: `Register ${home.mark}`,
    },
  }),
  uploadLogo: async () => ({ form: [{ name: 'file', value: makePng(20, 10), filename: 'logo.png' }] }),
  removeLogo: async () => ({}),
  openPublicLogo: async home => {
    const { logo } = await setLogo(home.owner)
    return { params: { organizationId: home.organization.id, sha256: defined(logo).sha256 } }
  },
  openLogo: async home => {
    await setLogo(home.owner)
    return {}
  },
  createBudget: async home => ({ body: { ...(await fields(home)), code: home.name('P') } }),
  computeBudgetFigures: async home => {
    const { sections, discounts } = offered(home.mark)
    return { body: { currency: 'eur', sections, discounts } }
  },
  listBudgets: async home => {
    const { id, clientId } = await budgetOf(home)
    const page = { limit: 100, offset: 0 }
    return [
      { query: page },
      { query: { ...page, status: 'DRAFT', clientId, search: home.secret } },
      { query: { ids: [id] } },
    ]
  },
  readBudget: onBudget,
  updateBudget: async home => ({ params: { id: (await budgetOf(home)).id }, body: await fields(home) }),
  duplicateBudget: onBudget,
  cancelBudget: onBudget,
  readBudgetPdf: onBudget,
  makeBudgetPdfAddress: onBudget,
  openBudgetPdf: async home => {
    const params = { id: (await budgetOf(home)).id }
    const { path } = await home.owner.call(makeBudgetPdfAddress, { params })
    return { params, query: addressQuery(path) }
  },
}
