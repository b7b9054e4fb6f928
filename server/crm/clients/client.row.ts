/** A stored client. */
export type ClientRow = {
  id: string
  name: string
  name_folded: string
  search: string
  tax_id: string | null
  email: string | null
  phone: string | null
  address: string | null
  city: string | null
  postal_code: string | null
  country: string | null
  created_at: string
  updated_at: string
  archived_at: string | null
}

/** The columns of a client except times; all are of type text. */
export const clientColumns = [
  'id',
  'name',
  'name_folded',
  'search',
  'tax_id',
  'email',
  'phone',
  'address',
  'city',
  'postal_code',
  'country',
]
/** The select list of `crm_client c` for a full row. */
export const allClientColumns = [...clientColumns, 'created_at', 'updated_at', 'archived_at']
  .map(name => `c.${name}`)
  .join(', ')
