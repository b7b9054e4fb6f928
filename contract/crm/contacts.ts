import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { editAccess, viewAccess } from './access.ts'
import { archived, search, searchNote } from './shapes.ts'

const id = { id: Id }

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

export const createContact = operation('POST /contacts', {
  ...editAccess,
  summary: 'Create a contact',
  description: 'With a name or an e-mail at least.',
  body: contactFields,
  reply: Contact,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
})
export const listContacts = operation('GET /contacts', {
  ...viewAccess,
  summary: 'List contacts by name',
  description: `\`search\` finds a part of a name or e-mail, or two characters with which a word begins; ${searchNote}`,
  query: { ...pageQuery, search, clientId: Type.Optional(Id), archived },
  reply: Page(Contact),
})
export const readContact = operation('GET /contacts/:id', {
  ...viewAccess,
  summary: 'A contact',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const updateContact = operation('PATCH /contacts/:id', {
  ...editAccess,
  summary: 'Change a contact',
  description: 'With another e-mail or client they are shown out of the customer portal at once.',
  params: id,
  body: contactFields,
  bodyOptional: true,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND', 'CONTACT_ARCHIVED', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})
export const archiveContact = operation('POST /contacts/:id/archive', {
  ...editAccess,
  summary: 'Archive a contact',
  description:
    'They are shown out of the customer portal at once. One that is archived already is answered as it is.',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const unarchiveContact = operation('POST /contacts/:id/unarchive', {
  ...editAccess,
  summary: 'Take an archived contact back',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const endPortalSessions = operation('POST /contacts/:id/show-out', {
  ...editAccess,
  summary: 'Show a contact out of the customer portal',
  description:
    'Their sessions end at once, and mails that were sent open nothing any more. They may ask for another; who is not to ' +
    'come back is archived.',
  params: id,
  reply: Type.Object({ sessionsEnded: Type.Integer() }),
  errors: ['CONTACT_NOT_FOUND'],
})
