import { expect, it } from 'vitest'
import type { Contact } from '#contract/crm/contacts.ts'
import { contactName, portalAccessOf } from './contact.rules.ts'

const ada: Contact = {
  id: 'c1',
  clientId: 'client',
  leadId: null,
  firstName: 'Ada',
  lastName: null,
  email: 'ada@example.test',
  phone: null,
  receivesInvoices: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  archivedAt: null,
}

it('names a contact by what is known', () => {
  expect(contactName({ ...ada, lastName: 'Lovelace' })).toBe('Ada Lovelace')
  expect(contactName({ ...ada, firstName: null })).toBe('ada@example.test')
  expect(contactName({ ...ada, firstName: null, email: null })).toBeUndefined()
})

it('says what keeps a contact out of the portal', () => {
  expect(portalAccessOf(ada)).toBe('portalOpen')
  expect(portalAccessOf({ ...ada, email: null })).toBe('portalNoEmail')
  expect(portalAccessOf({ ...ada, clientId: null })).toBe('portalNoClient')
  expect(portalAccessOf({ ...ada, archivedAt: ada.createdAt, clientId: null })).toBe('portalArchived')
})
