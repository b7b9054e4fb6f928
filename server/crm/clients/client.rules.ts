import type { createClient, updateClient } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { foldedName } from '#platform/fold.ts'
import { mergeText, searchText } from '../text-fields.ts'
import type { ClientRow } from './client.row.ts'

type ClientInput = Input<typeof createClient | typeof updateClient>['body']

/** Applies the input to a client and derives its sort key and search text. */
export function withFields(client: ClientRow, input: ClientInput): ClientRow {
  const name = input.name?.trim() ?? client.name
  return {
    ...client,
    name,
    name_folded: foldedName(name),
    search: searchText(name),
    tax_id: mergeText(input.taxId, client.tax_id),
    email: mergeText(input.email, client.email),
    phone: mergeText(input.phone, client.phone),
    address: mergeText(input.address, client.address),
    city: mergeText(input.city, client.city),
    postal_code: mergeText(input.postalCode, client.postal_code),
    country: mergeText(input.country, client.country),
  }
}

/** The API names of the fields that differ; for a new client, of the fields with a value. */
export function changedFields(before: ClientRow | null, after: ClientRow): string[] {
  return changedFieldNames(
    {
      name: 'name',
      tax_id: 'taxId',
      email: 'email',
      phone: 'phone',
      address: 'address',
      city: 'city',
      postal_code: 'postalCode',
      country: 'country',
    },
    before,
    after,
  )
}

/** A client without values. */
export function blankClient(id: string): ClientRow {
  return {
    id,
    name: '',
    name_folded: '',
    search: '',
    tax_id: null,
    email: null,
    phone: null,
    address: null,
    city: null,
    postal_code: null,
    country: null,
    created_at: '',
    updated_at: '',
    archived_at: null,
  }
}
