import type { OpportunityStatus } from '#contract/crm/opportunities.ts'

/** A stored opportunity. */
export type OpportunityRow = {
  id: string
  title: string
  title_folded: string
  status: OpportunityStatus
  stage: string | null
  client_id: string
  contact_id: string | null
  lead_id: string | null
  owner_id: string | null
  amount_cents: number | null
  currency: string | null
  /** A day: YYYY-MM-DD. */
  expected_on: string | null
  created_at: string
  updated_at: string
  closed_at: string | null
}

/** The columns of an opportunity except times, with their types. */
export const opportunityColumns = {
  id: 'text',
  title: 'text',
  title_folded: 'text',
  status: 'text',
  stage: 'text',
  client_id: 'text',
  contact_id: 'text',
  lead_id: 'text',
  owner_id: 'text',
  amount_cents: 'bigint',
  currency: 'text',
  expected_on: 'date',
} as const

/** The select list of `crm_opportunity o` for a full row. */
export const allOpportunityColumns = `${Object.keys(opportunityColumns)
  .map(name => `o.${name}`)
  .join(', ')}, o.created_at, o.updated_at, o.closed_at`
