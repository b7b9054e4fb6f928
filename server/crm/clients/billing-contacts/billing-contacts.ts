import * as contract from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { clientFor, lockActiveClient } from '../client.access.ts'
import { showBillingContact } from './billing-contact.json.ts'
import { changedFields, withFields } from './billing-contact.rules.ts'
import {
  type BillingContactRow,
  billingContactsOf,
  deleteBillingContact,
  insertBillingContact,
  setBillingContact,
} from './billing-contact.sql.ts'

export const list = query(contract.listBillingContacts, async ({ db, params: { id } }) => {
  const [rows] = await Promise.all([billingContactsOf(db, id), clientFor(db, id)])
  return { items: rows.map(showBillingContact) }
})

export const add = command(contract.addBillingContact, async ({ tx, params, body, audit }) => {
  const client = await lockActiveClient(tx, params.id)
  const others = await billingContactsOf(tx, client.id)
  if (others.length >= limits.billingContactsPerClient) fail('TOO_MANY_BILLING_CONTACTS')
  const draft = withFields(blank(newId(), others.length === 0), body)
  const contact = await insertBillingContact(tx, client.id, draft)
  audit(client.id, ['billingContacts'], { billingContactId: contact.id })
  return showBillingContact(contact)
})

export const update = command(contract.updateBillingContact, async ({ tx, params, body, audit }) => {
  if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
  const { id: clientId } = await lockActiveClient(tx, params.id)
  const before = await ofClient(tx, clientId, params.billingContactId)
  const after = withFields(before, body)
  const changed = changedFields(before, after)
  audit(clientId, changed.length === 0 ? [] : ['billingContacts'], { billingContactId: before.id, changed })
  return showBillingContact(changed.length === 0 ? before : await setBillingContact(tx, clientId, after))
})

export const remove = command(contract.removeBillingContact, async ({ tx, params, audit }) => {
  const { id: clientId } = await lockActiveClient(tx, params.id)
  const { id } = await ofClient(tx, clientId, params.billingContactId)
  await deleteBillingContact(tx, clientId, id)
  audit(clientId, ['billingContacts'], { billingContactId: id })
})

async function ofClient(tx: Tx, clientId: string, id: string): Promise<BillingContactRow> {
  const contacts = await billingContactsOf(tx, clientId)
  return contacts.find(contact => contact.id === id) ?? fail('BILLING_CONTACT_NOT_FOUND')
}

function blank(id: string, isMain: boolean): BillingContactRow {
  return { id, name: '', email: '', is_main: isMain, is_active: true, created_at: '', updated_at: '' }
}
