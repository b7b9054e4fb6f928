import type { createContact } from '#contract/crm/contacts.ts'
import type { Input } from '#contract/operation.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { foldedName } from '#platform/fold.ts'
import { firstOf } from '#platform/required.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../email.ts'
import { toE164 } from '../phone.ts'
import { fullName, mergeText, searchText } from '../text-fields.ts'
import type { ContactRow } from './contact.row.ts'

type ContactInput = Input<typeof createContact>['body']
type FieldContext = { cipher: Cipher; organizationId: string; phoneCountry: string }

/** Applies the input to a contact and derives its e-mail hash, E.164 number, sort key and search text. */
export function withFields(contact: ContactRow, input: ContactInput, context: FieldContext): ContactRow {
  const { cipher, organizationId, phoneCountry } = context
  const next: ContactRow = {
    ...contact,
    client_id: input.clientId === undefined ? contact.client_id : input.clientId,
    first_name: mergeText(input.firstName, contact.first_name),
    last_name: mergeText(input.lastName, contact.last_name),
    email: mergeText(input.email, contact.email),
    phone: mergeText(input.phone, contact.phone),
    receives_invoices: input.receivesInvoices ?? contact.receives_invoices,
  }
  if (next.email !== contact.email)
    next.email_hash = next.email === null ? null : firstOf(emailHashes(cipher, organizationId, next.email))
  if (next.phone !== contact.phone)
    next.phone_e164 = next.phone === null ? null : toE164(next.phone, phoneCountry)
  return findable(next)
}

/** Derives the sort key and search text from the name, or from the e-mail if there is no name. */
export function findable(contact: ContactRow): ContactRow {
  const name = fullName(contact)
  return {
    ...contact,
    name_folded: foldedName(name || (contact.email ?? '')),
    search: searchText(name, contact.email),
  }
}

/** Refuses VALIDATION_ERROR for a contact with neither a name nor an e-mail. */
export function assertNamed(contact: ContactRow): void {
  if (fullName(contact) === '' && contact.email === null)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'email', code: 'required', message: 'or a name is required' }],
    })
}

/** The API names of the fields that differ; for a new contact, of the fields with a value. */
export function changedFields(before: ContactRow | null, after: ContactRow): string[] {
  return changedFieldNames(
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

/** A contact without values. */
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
