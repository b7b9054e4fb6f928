import type { updateBillingContact } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { differing } from '../../given.ts'
import type { BillingContactRow } from './billing-contact.sql.ts'

type Given = Input<typeof updateBillingContact>['body']

/**
 * The billing contact with what is given; one that is not active is not the main one. Refuses VALIDATION_ERROR when it is to
 * be that nevertheless.
 */
export function withFields(contact: BillingContactRow, given: Given): BillingContactRow {
  const is_active = given.isActive ?? contact.is_active
  if (given.isMain && !is_active)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'isMain', code: 'inactive', message: 'needs one that is active' }],
    })
  return {
    ...contact,
    name: given.name?.trim() ?? contact.name,
    email: given.email?.trim() ?? contact.email,
    is_main: is_active && (given.isMain ?? contact.is_main),
    is_active,
  }
}

/** The names of the fields in which two states of a billing contact differ; of a new one those that it has. */
export function changedFields(before: BillingContactRow | null, after: BillingContactRow): string[] {
  return differing({ name: 'name', email: 'email', is_main: 'isMain', is_active: 'isActive' }, before, after)
}
