/** A stored contact. */
export type ContactRow = {
  id: string
  client_id: string | null
  lead_id: string | null
  first_name: string | null
  last_name: string | null
  name_folded: string
  search: string
  email: string | null
  /** In hex; see email.ts. */
  email_hash: string | null
  phone: string | null
  phone_e164: string | null
  receives_invoices: boolean
  created_at: string
  updated_at: string
  archived_at: string | null
}

/** The columns of a contact except times, with their types. */
export const contactColumns = {
  id: 'text',
  client_id: 'text',
  lead_id: 'text',
  first_name: 'text',
  last_name: 'text',
  name_folded: 'text',
  search: 'text',
  email: 'text',
  phone: 'text',
  phone_e164: 'text',
  receives_invoices: 'boolean',
} as const

/** The select list of `crm_contact p` for a full row. */
export const allContactColumns = `${Object.keys(contactColumns)
  .map(name => `p.${name}`)
  .join(', ')}, encode(p.email_hash, 'hex') as email_hash, p.created_at, p.updated_at, p.archived_at`
