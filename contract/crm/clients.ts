import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { archived, Country, ids, search, searchNote } from './shapes.ts'

const id = { id: Id }

/** A customer that the organization bills. */
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

/** The optional fields of a client in a request. */
export const clientFields = {
  taxId: Type.Optional(Nullable(Name(limits.clientTaxId))),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Name(limits.leadPhone))),
  address: Type.Optional(Nullable(Name(limits.clientAddress))),
  city: Type.Optional(Nullable(Name(limits.clientCity))),
  postalCode: Type.Optional(Nullable(Name(limits.clientPostalCode))),
  country: Type.Optional(Nullable(Country)),
}

export const createClient = operation('POST /clients', {
  announces: { event: 'client.changed', change: 'created' },
  ...editAccess,
  summary: 'Create a client',
  body: { name: Name(limits.clientName), ...clientFields },
  reply: Client,
  status: 201,
})
export const listClients = operation('GET /clients', {
  ...viewAccess,
  summary: 'List clients by name',
  description: `\`search\` matches any part of a name, or, with two characters, the beginning of a word. ${searchNote}`,
  query: { ...pageQuery, search, ids, archived },
  reply: Page(Client),
})
export const readClient = operation('GET /clients/:id', {
  ...viewAccess,
  summary: 'Retrieve a client',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})
export const updateClient = operation('PATCH /clients/:id', {
  announces: { event: 'client.changed' },
  ...editAccess,
  summary: 'Update a client',
  params: id,
  body: { name: Type.Optional(Name(limits.clientName)), ...clientFields },
  bodyOptional: true,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'NOTHING_TO_CHANGE'],
})
export const archiveClient = operation('POST /clients/:id/archive', {
  announces: { event: 'client.changed' },
  ...editAccess,
  summary: 'Archive a client',
  description: 'A client that is already archived is returned unchanged.',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})
export const unarchiveClient = operation('POST /clients/:id/unarchive', {
  announces: { event: 'client.changed' },
  ...editAccess,
  summary: 'Restore an archived client',
  params: id,
  reply: Client,
  errors: ['CLIENT_NOT_FOUND'],
})

/** A person at a client who receives mail about invoices. */
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
const isMain = Type.Optional(
  Type.Boolean({ description: 'Makes this the main contact and replaces the previous one' }),
)
const billingContactParams = { id: Id, billingContactId: Id }

export const listBillingContacts = operation('GET /clients/:id/billing-contacts', {
  ...viewAccess,
  summary: 'List the billing contacts of a client, the main one first',
  params: id,
  reply: Type.Object({ items: Type.Array(BillingContact) }),
  errors: ['CLIENT_NOT_FOUND'],
})
export const addBillingContact = operation('POST /clients/:id/billing-contacts', {
  announces: { event: 'client.changed', id: 'id' },
  ...editAccess,
  summary: 'Add a billing contact',
  description: 'The first billing contact becomes the main one, unless `isMain` is false.',
  params: id,
  body: { name: Name(limits.clientName), email: Email, isMain },
  reply: BillingContact,
  status: 201,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'TOO_MANY_BILLING_CONTACTS'],
})
export const updateBillingContact = operation('PATCH /clients/:id/billing-contacts/:billingContactId', {
  announces: { event: 'client.changed', id: 'id' },
  ...editAccess,
  summary: 'Update a billing contact',
  description:
    'An inactive contact receives no mail. If the main contact becomes inactive, the client has no main contact. Only an ' +
    'active contact can become the main one.',
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
  announces: { event: 'client.changed', id: 'id' },
  ...editAccess,
  summary: 'Remove a billing contact',
  params: billingContactParams,
  errors: ['CLIENT_NOT_FOUND', 'CLIENT_ARCHIVED', 'BILLING_CONTACT_NOT_FOUND'],
})
