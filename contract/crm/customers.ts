import Type, { type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Email, Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'

const area = 'crm'
const toView = { area, module: 'crm', doors: { people: { permission: 'CRM_VIEW' } } } as const
const toEdit = { area, module: 'crm', doors: { people: { permission: 'CRM_EDIT' } } } as const
const id = { id: Id }
const Country = Type.String({ maxLength: 2, pattern: '^[A-Z]{2}$', description: 'ISO 3166-1, two letters' })
const search = Type.Optional(Text(limits.search, 2))
const counted = `At most ${limits.customersCounted} are counted in \`total\`.`
const foundAlike = `capitals and accents make no difference. ${counted}`
const archived = Type.Optional(Type.Boolean({ default: false, description: 'Those that are archived' }))

/** A customer: who is billed. */
export const Client = Type.Object({
  id: Id,
  name: Type.String(),
  taxId: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  address: Nullable(Type.String()),
  city: Nullable(Type.String()),
  postalCode: Nullable(Type.String()),
  country: Nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
  archivedAt: Nullable(Time),
})
export type Client = Static<typeof Client>

const clientFields = {
  taxId: Type.Optional(Nullable(Name(limits.clientTaxId))),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Name(limits.leadPhone))),
  address: Type.Optional(Nullable(Name(limits.clientAddress))),
  city: Type.Optional(Nullable(Name(limits.clientPlace))),
  postalCode: Type.Optional(Nullable(Name(limits.clientPostalCode))),
  country: Type.Optional(Nullable(Country)),
}

export const createClient = endpoint('POST /clients', {
  ...toEdit,
  summary: 'Create a client',
  body: { name: Name(limits.clientName), ...clientFields },
  reply: Client,
  status: 201,
})
export const listClients = endpoint('GET /clients', {
  ...toView,
  summary: 'List clients by name',
  description: `\`search\` finds a part of a name, or two characters with which a word begins; ${foundAlike}`,
  query: { ...pageQuery, search, archived },
  reply: Page(Client),
})
export const readClient = endpoint('GET /clients/:id', {
  ...toView,
  summary: 'A client',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})
export const updateClient = endpoint('PATCH /clients/:id', {
  ...toEdit,
  summary: 'Change a client',
  params: id,
  body: { name: Type.Optional(Name(limits.clientName)), ...clientFields },
  bodyOptional: true,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'NOTHING_TO_CHANGE'],
})
export const archiveClient = endpoint('POST /clients/:id/archive', {
  ...toEdit,
  summary: 'Archive a client',
  description: 'One that is archived already is answered as it is.',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})
export const unarchiveClient = endpoint('POST /clients/:id/unarchive', {
  ...toEdit,
  summary: 'Take an archived client back',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})

/** Who at a client is written to about money. */
export const BillingContact = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  isMain: Type.Boolean(),
  isActive: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
})
export type BillingContact = Static<typeof BillingContact>
const isMain = Type.Optional(Type.Boolean({ description: 'The main one, which another one was until now' }))
const place = { id: Id, billingContactId: Id }

export const listBillingContacts = endpoint('GET /clients/:id/billing-contacts', {
  ...toView,
  summary: 'Who at a client is written to about money, the main one first',
  params: id,
  reply: Type.Object({ items: Type.Array(BillingContact) }),
  errors: ['CLIENT_NOT_FOUND'],
})
export const addBillingContact = endpoint('POST /clients/:id/billing-contacts', {
  ...toEdit,
  summary: 'Add a billing contact',
  description: 'The first one is the main one, unless `isMain` says otherwise.',
  params: id,
  body: { name: Name(limits.clientName), email: Email, isMain },
  reply: BillingContact,
  status: 201,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'TOO_MANY_BILLING_CONTACTS'],
})
export const updateBillingContact = endpoint('PATCH /clients/:id/billing-contacts/:billingContactId', {
  ...toEdit,
  summary: 'Change a billing contact',
  description:
    'One that is not active is not written to. The main one that is switched off leaves the client without one; only ' +
    'one that is active can be made the main one.',
  params: place,
  body: {
    name: Type.Optional(Name(limits.clientName)),
    email: Type.Optional(Email),
    isMain,
    isActive: Type.Optional(Type.Boolean()),
  },
  bodyOptional: true,
  reply: BillingContact,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'BILLING_CONTACT_NOT_FOUND', 'NOTHING_TO_CHANGE'],
})
export const removeBillingContact = endpoint('DELETE /clients/:id/billing-contacts/:billingContactId', {
  ...toEdit,
  summary: 'Remove a billing contact',
  params: place,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'BILLING_CONTACT_NOT_FOUND'],
})

/** A person at a client, or by themselves. */
export const Contact = Type.Object({
  id: Id,
  clientId: Nullable(Id),
  leadId: Nullable(Id),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  receivesInvoices: Type.Boolean({ description: 'Invoices of the client may be sent to them' }),
  createdAt: Time,
  updatedAt: Time,
  archivedAt: Nullable(Time),
})
export type Contact = Static<typeof Contact>
const contactFields = {
  clientId: Type.Optional(Nullable(Id)),
  firstName: Type.Optional(Nullable(Name(limits.leadName))),
  lastName: Type.Optional(Nullable(Name(limits.leadName))),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Name(limits.leadPhone))),
  receivesInvoices: Type.Optional(Type.Boolean()),
}

export const createContact = endpoint('POST /contacts', {
  ...toEdit,
  summary: 'Create a contact',
  description: 'With a name or an e-mail at least.',
  body: contactFields,
  reply: Contact,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
})
export const listContacts = endpoint('GET /contacts', {
  ...toView,
  summary: 'List contacts by name',
  description: `\`search\` finds a part of a name or e-mail, or two characters with which a word begins; ${foundAlike}`,
  query: { ...pageQuery, search, clientId: Type.Optional(Id), archived },
  reply: Page(Contact),
})
export const readContact = endpoint('GET /contacts/:id', {
  ...toView,
  summary: 'A contact',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const updateContact = endpoint('PATCH /contacts/:id', {
  ...toEdit,
  summary: 'Change a contact',
  params: id,
  body: contactFields,
  bodyOptional: true,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND', 'CONTACT_ARCHIVED', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})
export const archiveContact = endpoint('POST /contacts/:id/archive', {
  ...toEdit,
  summary: 'Archive a contact',
  description: 'One that is archived already is answered as it is.',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const unarchiveContact = endpoint('POST /contacts/:id/unarchive', {
  ...toEdit,
  summary: 'Take an archived contact back',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})

export const opportunityStatuses = ['OPEN', 'WON', 'LOST'] as const
export type OpportunityStatus = (typeof opportunityStatuses)[number]
/** What may be sold to a client. */
export const Opportunity = Type.Object({
  id: Id,
  title: Type.String(),
  status: OneOf(opportunityStatuses),
  stage: Nullable(Type.String()),
  clientId: Id,
  contactId: Nullable(Id),
  leadId: Nullable(Id),
  ownerId: Nullable(Id),
  amountCents: Nullable(Type.Integer()),
  currency: Nullable(Type.String()),
  expectedOn: Nullable(Type.String({ description: 'A day: YYYY-MM-DD' })),
  createdAt: Time,
  updatedAt: Time,
  closedAt: Nullable(Time),
})
export type Opportunity = Static<typeof Opportunity>
const Day = Type.String({ format: 'date', pattern: '^[12]', description: 'A day: YYYY-MM-DD' })
const opportunityFields = {
  stage: Type.Optional(Nullable(Name(limits.leadStage))),
  contactId: Type.Optional(Nullable(Id)),
  ownerId: Type.Optional(Nullable(Id)),
  amountCents: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: limits.opportunityCents }))),
  currency: Type.Optional(
    Nullable(Type.String({ maxLength: 3, pattern: '^[a-z]{3}$', description: 'ISO 4217, small letters' })),
  ),
  expectedOn: Type.Optional(Nullable(Day)),
}

export const createOpportunity = endpoint('POST /opportunities', {
  ...toEdit,
  summary: 'Create an opportunity',
  body: { title: Name(limits.opportunityTitle), clientId: Id, ...opportunityFields },
  reply: Opportunity,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
})
export const listOpportunities = endpoint('GET /opportunities', {
  ...toView,
  summary: 'List opportunities, the newest first',
  description: counted,
  query: { ...pageQuery, status: Type.Optional(OneOf(opportunityStatuses)), clientId: Type.Optional(Id) },
  reply: Page(Opportunity),
})
export const readOpportunity = endpoint('GET /opportunities/:id', {
  ...toView,
  summary: 'An opportunity',
  params: id,
  reply: Opportunity,
  errors: ['OPPORTUNITY_NOT_FOUND'],
})
export const updateOpportunity = endpoint('PATCH /opportunities/:id', {
  ...toEdit,
  summary: 'Change an opportunity',
  description: 'WON and LOST close it; a closed one can only be opened again.',
  params: id,
  body: {
    title: Type.Optional(Name(limits.opportunityTitle)),
    status: Type.Optional(OneOf(opportunityStatuses)),
    ...opportunityFields,
  },
  bodyOptional: true,
  reply: Opportunity,
  errors: ['OPPORTUNITY_NOT_FOUND', 'OPPORTUNITY_CLOSED', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})

/** What holds for all leads and contacts of the organization. */
export const CrmSettings = Type.Object({
  phoneCountry: Type.String({ description: 'How telephone numbers without a country are read' }),
})
export type CrmSettings = Static<typeof CrmSettings>
export const readCrmSettings = endpoint('GET /settings', {
  ...toView,
  summary: 'What holds for all leads and contacts',
  reply: CrmSettings,
})
export const updateCrmSettings = endpoint('PUT /settings', {
  ...toEdit,
  doors: { people: { permission: 'ORG_MANAGE' } },
  summary: 'Change what holds for all leads and contacts',
  description: 'For numbers that come from now on.',
  body: { phoneCountry: Country },
  reply: CrmSettings,
})
