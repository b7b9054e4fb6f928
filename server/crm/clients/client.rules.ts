import type { createClient, updateClient } from '#contract/crm/clients.ts'
import type { Input } from '#contract/operation.ts'
import { foldedName } from '#platform/fold.ts'
import { differing, searchable, told } from '../given.ts'
import type { ClientRow } from './client.row.ts'

type Given = Input<typeof createClient | typeof updateClient>['body']

/** The client with what is given, and with what follows from that: how it is ordered and searched for. */
export function withFields(client: ClientRow, given: Given): ClientRow {
  const name = given.name?.trim() ?? client.name
  return {
    ...client,
    name,
    name_folded: foldedName(name),
    search: searchable(name),
    tax_id: told(given.taxId, client.tax_id),
    email: told(given.email, client.email),
    phone: told(given.phone, client.phone),
    address: told(given.address, client.address),
    city: told(given.city, client.city),
    postal_code: told(given.postalCode, client.postal_code),
    country: told(given.country, client.country),
  }
}

/** The names of the fields in which two states of a client differ; of a new one those that it has. */
export function changedFields(before: ClientRow | null, after: ClientRow): string[] {
  return differing(
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

/** A client of which nothing is known yet. */
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
