import { type PublicLeadRow, publicLeadColumns } from '../lead.row.ts'

/** A page of leads, and how many there are on all of them. */
export type LeadPage = { leads: PublicLeadRow[]; total: number }
/** A page without leads still has one row, with the total alone. */
export type LeadPageRow = { total: number } & (PublicLeadRow | { id: null })

/**
 * What gives a page with its total in one statement: `total` selects that, `ids` the `id` and the `sort_key` of what stands on
 * the page, in whose order its leads come.
 */
export function pageStatement(total: string, ids: string, order: 'asc' | 'desc'): string {
  return `
  select t.total, p.* from (${total}) t left join (
    select ${publicLeadColumns}, i.sort_key from (${ids}) i join lead l on l.organization_id = $1 and l.id = i.id) p on true
  order by p.sort_key ${order}, p.id ${order}`
}

export function leadPageOf(rows: LeadPageRow[]): LeadPage {
  return {
    leads: rows.filter((row): row is PublicLeadRow & { total: number } => row.id !== null),
    total: rows[0]!.total,
  }
}
