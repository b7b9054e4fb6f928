import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { editAccess, viewAccess } from './access.ts'
import { archived, Country, search, searchNote } from './shapes.ts'

const id = { id: Id }

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
  city: Type.Optional(Nullable(Name(limits.clientCity))),
  postalCode: Type.Optional(Nullable(Name(limits.clientPostalCode))),
  country: Type.Optional(Nullable(Country)),
}

export const createClient = operation('POST /clients', {
  ...editAccess,
  summary: 'Create a client',
  body: { name: Name(limits.clientName), ...clientFields },
  reply: Client,
  status: 201,
})
export const listClients = operation('GET /clients', {
  ...viewAccess,
  summary: 'List clients by name',
  description: `\`search\` finds a part of a name, or two characters with which a word begins; ${searchNote}`,
  query: { ...pageQuery, search, archived },
  reply: Page(Client),
})
export const readClient = operation('GET /clients/:id', {
  ...viewAccess,
  summary: 'A client',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})
export const updateClient = operation('PATCH /clients/:id', {
  ...editAccess,
  summary: 'Change a client',
  params: id,
  body: { name: Type.Optional(Name(limits.clientName)), ...clientFields },
  bodyOptional: true,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'NOTHING_TO_CHANGE'],
})
export const archiveClient = operation('POST /clients/:id/archive', {
  ...editAccess,
  summary: 'Archive a client',
  description: 'One that is archived already is answered as it is.',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})
export const unarchiveClient = operation('POST /clients/:id/unarchive', {
  ...editAccess,
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
const billingContactParams = { id: Id, billingContactId: Id }

export const listBillingContacts = operation('GET /clients/:id/billing-contacts', {
  ...viewAccess,
  summary: 'Who at a client is written to about money, the main one first',
  params: id,
  reply: Type.Object({ items: Type.Array(BillingContact) }),
  errors: ['CLIENT_NOT_FOUND'],
})
export const addBillingContact = operation('POST /clients/:id/billing-contacts', {
  ...editAccess,
  summary: 'Add a billing contact',
  description: 'The first one is the main one, unless `isMain` says otherwise.',
  params: id,
  body: { name: Name(limits.clientName), email: Email, isMain },
  reply: BillingContact,
  status: 201,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'TOO_MANY_BILLING_CONTACTS'],
})
export const updateBillingContact = operation('PATCH /clients/:id/billing-contacts/:billingContactId', {
  ...editAccess,
  summary: 'Change a billing contact',
  description:
    'One that is not active is not written to. The main one that is switched off leaves the client without one; only ' +
    'one that is active can be made the main one.',
  params: billingContactParams,
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
export const removeBillingContact = operation('DELETE /clients/:id/billing-contacts/:billingContactId', {
  ...editAccess,
  summary: 'Remove a billing contact',
  params: billingContactParams,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'BILLING_CONTACT_NOT_FOUND'],
})
