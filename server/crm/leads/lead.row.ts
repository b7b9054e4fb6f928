import type { LeadStatus, Temperature } from '#contract/crm/shapes.ts'

/** A stored lead. `notes` are encrypted: see notes.ts. */
export type LeadRow = {
  id: string
  status: LeadStatus
  email: string | null
  /** In hex; see email.ts. */
  email_hash: string | null
  phone: string | null
  phone_e164: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  search: string
  /** Sort keys of lists; empty without a value. */
  last_name_folded: string
  company_folded: string
  stage: string | null
  source: string | null
  assignee_id: string | null
  score: number | null
  temperature: Temperature | null
  notes: string | null
  lost_by: 'DISQUALIFY' | 'TEAM' | null
  contact_id: string | null
  client_id: string | null
  opportunity_id: string | null
  /** `momentOfChange` stands for the time of the change; see clock/lead-clock.sql.ts. */
  qualified_at: string | null
  lost_at: string | null
  converted_at: string | null
  created_at: string
  updated_at: string
  erased_at: string | null
}

/** The columns of a lead except times, with their types. */
export const leadColumns = {
  id: 'text',
  status: 'text',
  email: 'text',
  phone: 'text',
  phone_e164: 'text',
  first_name: 'text',
  last_name: 'text',
  company: 'text',
  search: 'text',
  last_name_folded: 'text',
  company_folded: 'text',
  stage: 'text',
  source: 'text',
  assignee_id: 'text',
  score: 'smallint',
  temperature: 'text',
  notes: 'text',
  lost_by: 'text',
  contact_id: 'text',
  client_id: 'text',
  opportunity_id: 'text',
} as const

/** The select list of `lead l` for a full row. */
export const allLeadColumns = `${Object.keys(leadColumns)
  .map(name => `l.${name}`)
  .join(
    ', ',
  )}, encode(l.email_hash, 'hex') as email_hash, l.qualified_at, l.lost_at, l.converted_at, l.created_at, l.updated_at, l.erased_at`

const publicColumns = [
  'id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'company',
  'status',
  'stage',
  'source',
  'assignee_id',
  'score',
  'temperature',
  'notes',
  'contact_id',
  'client_id',
  'opportunity_id',
  'qualified_at',
  'lost_at',
  'converted_at',
  'created_at',
  'updated_at',
] as const
/** The columns that replies can contain. */
export type PublicLeadRow = Pick<LeadRow, (typeof publicColumns)[number]>
/** The select list of `lead l` for these columns. */
export const publicLeadColumns = publicColumns.map(name => `l.${name}`).join(', ')
