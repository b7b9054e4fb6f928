import { addBillingContact, archiveClient } from '#contract/crm/clients.ts'
import { archiveContact } from '#contract/crm/contacts.ts'
import { createOpportunity } from '#contract/crm/opportunities.ts'
import { listPortalAccess } from '#contract/crm/portal-access.ts'
import { makeClient, makeContact, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { plantSession } from '#tests/support/crm/portal.ts'
import { defined, only } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import type { Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>
const page = { limit: 100, offset: 0 }

const client = ({ owner, secret }: Home) =>
  makeClient(owner, {
    name: `Client ${secret}`,
    taxId: `T-${secret}`,
    email: `${secret}@example.test`,
    phone: '600 123 456',
    address: `Road ${secret}`,
    city: `Town ${secret}`,
    postalCode: '11001',
    country: 'ES',
  })
const contact = async (home: Home, clientId?: string) =>
  makeContact(home.owner, {
    clientId: clientId ?? (await client(home)).id,
    firstName: `Ada ${home.secret}`,
    lastName: `King ${home.secret}`,
    email: `${home.secret}@example.test`,
  })
const lead = ({ owner, secret }: Home) =>
  makeLead(owner, {
    email: `ada-${secret}@example.test`,
    company: `Engines of ${secret}`,
    notes: `Said in ${secret}`,
  })

async function payer(home: Home): Promise<{ id: string; billingContactId: string }> {
  const { id } = await client(home)
  const { id: billingContactId } = await home.owner.call(addBillingContact, {
    params: { id },
    body: { name: `Payer ${home.secret}`, email: `${home.secret}@example.test` },
  })
  return { id, billingContactId }
}

async function opportunity(home: Home) {
  const { id: clientId } = await client(home)
  return home.owner.call(createOpportunity, {
    body: { title: `Engines for ${home.secret}`, clientId, stage: `Stage ${home.secret}`.slice(0, 50) },
  })
}

const whole = (home: Home) => ({
  name: home.name('Client'),
  taxId: `T-${home.mark}`,
  email: home.email(),
  phone: '600 123 456',
  address: `Road ${home.mark}`,
  city: `Town ${home.mark}`,
  postalCode: home.mark.slice(0, 12),
  country: 'ES',
})
const person = async (home: Home) => ({
  clientId: (await client(home)).id,
  firstName: `Ada ${home.mark}`,
  lastName: `King ${home.mark}`,
  email: home.email(),
  phone: '600 123 456',
  receivesInvoices: true,
})
const deal = async (home: Home, clientId: string) => ({
  title: home.name('Engines'),
  stage: `At ${home.mark}`,
  contactId: (await contact(home, clientId)).id,
  ownerId: (await home.make.member()).id,
  amountCents: 10_000,
  currency: 'eur',
  expectedOn: '2027-02-28',
})

/** A client with a contact who has a portal session. */
async function portalAccess(home: Home) {
  const { id: contactId, clientId } = await contact(home)
  await plantSession(home.server, home.owner, contactId)
  const { items } = await home.owner.call(listPortalAccess, { params: { id: defined(clientId) } })
  return { clientId: defined(clientId), contactId, accessId: only(items).id }
}

const onClient: Fixture = async home => ({ params: { id: (await client(home)).id } })
const onContact: Fixture = async home => ({ params: { id: (await contact(home)).id } })

/** Valid calls of the operations on clients, billing contacts, contacts and opportunities; see fixtures.ts. */
export const crmCustomerFixtures: Record<string, Fixture> = {
  convertLead: async home => ({
    params: { id: (await lead(home)).id },
    body: {
      reason: `They signed the offer of ${home.mark}`,
      createOpportunity: true,
      targetClientId: (await client(home)).id,
    },
  }),
  createClient: async home => ({ body: whole(home) }),
  listClients: async home => {
    const { id } = await client(home)
    return [
      { query: page },
      { query: { ...page, search: home.secret, archived: false } },
      { query: { ids: [id] } },
    ]
  },
  readClient: onClient,
  updateClient: async home => ({ params: { id: (await client(home)).id }, body: whole(home) }),
  archiveClient: onClient,
  unarchiveClient: async home => {
    const { id } = await client(home)
    await home.owner.call(archiveClient, { params: { id } })
    return { params: { id } }
  },
  listBillingContacts: async home => ({ params: { id: (await payer(home)).id } }),
  addBillingContact: async home => ({
    params: { id: (await client(home)).id },
    body: { name: home.name('Payer'), email: home.email(), isMain: true },
  }),
  updateBillingContact: async home => ({
    params: await payer(home),
    body: { name: home.name('Payer'), email: home.email(), isMain: true, isActive: true },
  }),
  removeBillingContact: async home => ({ params: await payer(home) }),
  createContact: async home => ({ body: await person(home) }),
  listContacts: async home => {
    const { clientId } = await contact(home)
    return [{ query: page }, { query: { ...page, clientId, search: home.secret, archived: false } }]
  },
  readContact: onContact,
  updateContact: async home => ({ params: { id: (await contact(home)).id }, body: await person(home) }),
  archiveContact: onContact,
  unarchiveContact: async home => {
    const { id } = await contact(home)
    await home.owner.call(archiveContact, { params: { id } })
    return { params: { id } }
  },
  endPortalSessions: onContact,
  listPortalAccess: async home => ({ params: { id: (await portalAccess(home)).clientId } }),
  endPortalAccess: async home => {
    const { contactId: id, accessId } = await portalAccess(home)
    return { params: { id, accessId } }
  },
  endAllPortalAccess: async home => ({ params: { id: (await portalAccess(home)).clientId } }),
  createOpportunity: async home => {
    const { id: clientId } = await client(home)
    return { body: { clientId, ...(await deal(home, clientId)) } }
  },
  listOpportunities: async home => {
    const { id, clientId } = await opportunity(home)
    return [
      { query: page },
      { query: { ...page, status: 'OPEN', clientId, search: home.secret } },
      { query: { ids: [id] } },
    ]
  },
  readOpportunity: async home => ({ params: { id: (await opportunity(home)).id } }),
  updateOpportunity: async home => {
    const { id, clientId } = await opportunity(home)
    return { params: { id }, body: { ...(await deal(home, clientId)), status: 'WON' } }
  },
  readCrmSettings: async () => ({}),
  updateCrmSettings: async home => ({
    body: {
      phoneCountry: 'PT',
      portalGreeting: { es: `Hola de ${home.mark}`, en: `Hello from ${home.mark}` },
    },
  }),
}
