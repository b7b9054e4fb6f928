import type { createContact } from '#contract/crm/contacts.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { foldedName } from '#platform/fold.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../email.ts'
import { differing, fullName, searchable, told } from '../given.ts'
import { dialled } from '../phone.ts'
import type { ContactRow } from './contact.row.ts'

type Given = Input<typeof createContact>['body']
type Keeping = { cipher: Cipher; organizationId: string; phoneCountry: string }

/** The contact with what is given, and with what follows from that: how it is looked up, dialled, ordered and searched for. */
export function withFields(contact: ContactRow, given: Given, keeping: Keeping): ContactRow {
  const { cipher, organizationId, phoneCountry } = keeping
  const next: ContactRow = {
    ...contact,
    client_id: given.clientId === undefined ? contact.client_id : given.clientId,
    first_name: told(given.firstName, contact.first_name),
    last_name: told(given.lastName, contact.last_name),
    email: told(given.email, contact.email),
    phone: told(given.phone, contact.phone),
    receives_invoices: given.receivesInvoices ?? contact.receives_invoices,
  }
  if (next.email !== contact.email)
    next.email_hash = next.email === null ? null : emailHashes(cipher, organizationId, next.email)[0]!
  if (next.phone !== contact.phone)
    next.phone_e164 = next.phone === null ? null : dialled(next.phone, phoneCountry)
  return findable(next)
}

/** The contact as lists find it: by its name, or without one by its e-mail. */
export function findable(contact: ContactRow): ContactRow {
  const name = fullName(contact)
  return {
    ...contact,
    name_folded: foldedName(name || (contact.email ?? '')),
    search: searchable(name, contact.email),
  }
}

/** Refuses VALIDATION_ERROR for a contact with neither a name nor an e-mail. */
export function assertNamed(contact: ContactRow): void {
  if (fullName(contact) === '' && contact.email === null)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'email', code: 'required', message: 'or a name is needed' }],
    })
}

/** The names of the fields in which two states of a contact differ; of a new one those that it has. */
export function changedFields(before: ContactRow | null, after: ContactRow): string[] {
  return differing(
    {
      client_id: 'clientId',
      first_name: 'firstName',
      last_name: 'lastName',
      email: 'email',
      phone: 'phone',
      receives_invoices: 'receivesInvoices',
    },
    before,
    after,
  )
}

/** A contact of whom nothing is known yet. */
export function blankContact(id: string): ContactRow {
  return {
    id,
    client_id: null,
    lead_id: null,
    first_name: null,
    last_name: null,
    name_folded: '',
    search: '',
    email: null,
    email_hash: null,
    phone: null,
    phone_e164: null,
    receives_invoices: false,
    created_at: '',
    updated_at: '',
    archived_at: null,
  }
}
