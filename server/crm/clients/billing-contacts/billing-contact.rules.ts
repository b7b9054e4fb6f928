import type { updateBillingContact } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import type { BillingContactRow } from './billing-contact.sql.ts'

type BillingContactInput = Input<typeof updateBillingContact>['body']

/** Applies the input to a billing contact. Refuses VALIDATION_ERROR if an inactive contact would become the main one. */
export function withFields(contact: BillingContactRow, input: BillingContactInput): BillingContactRow {
  const is_active = input.isActive ?? contact.is_active
  if (input.isMain && !is_active)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'isMain', code: 'inactive', message: 'requires an active billing contact' }],
    })
  return {
    ...contact,
    name: input.name?.trim() ?? contact.name,
    email: input.email?.trim() ?? contact.email,
    is_main: is_active && (input.isMain ?? contact.is_main),
    is_active,
  }
}

/** The API names of the fields that differ; for a new contact, of the fields with a value. */
export function changedFields(before: BillingContactRow | null, after: BillingContactRow): string[] {
  return changedFieldNames(
    { name: 'name', email: 'email', is_main: 'isMain', is_active: 'isActive' },
    before,
    after,
  )
}
