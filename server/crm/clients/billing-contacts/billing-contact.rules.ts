import type { updateBillingContact } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { changedFieldNames } from '../../text-fields.ts'
import type { BillingContactRow } from './billing-contact.sql.ts'

type BillingContactInput = Input<typeof updateBillingContact>['body']

/**
 * The billing contact with what is given; one that is not active is not the main one. Refuses VALIDATION_ERROR when it is to
 * be that nevertheless.
 */
export function withFields(contact: BillingContactRow, input: BillingContactInput): BillingContactRow {
  const is_active = input.isActive ?? contact.is_active
  if (input.isMain && !is_active)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'isMain', code: 'inactive', message: 'needs one that is active' }],
    })
  return {
    ...contact,
    name: input.name?.trim() ?? contact.name,
    email: input.email?.trim() ?? contact.email,
    is_main: is_active && (input.isMain ?? contact.is_main),
    is_active,
  }
}

/** The names of the fields in which two states of a billing contact differ; of a new one those that it has. */
export function changedFields(before: BillingContactRow | null, after: BillingContactRow): string[] {
  return changedFieldNames(
    { name: 'name', email: 'email', is_main: 'isMain', is_active: 'isActive' },
    before,
    after,
  )
}
