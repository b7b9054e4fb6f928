import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import { type PublicLeadRow, publicLeadColumns } from '../lead.row.ts'

/** A page of leads, and their total on all pages. */
export type LeadPage = { leads: PublicLeadRow[]; total: number }
export type LeadPageRow = RowWithTotal<PublicLeadRow>

/**
 * A statement that returns a page and its total: `total` selects the total, `ids` the `id` and `sort_key` of the leads on the
 * page, which are ordered by `sort_key`.
 */
export function pageStatement(total: string, ids: string, order: 'asc' | 'desc'): string {
  return `
  select t.total, p.* from (${total}) t left join (
    select ${publicLeadColumns}, i.sort_key from (${ids}) i join lead l on l.organization_id = $organization and l.id = i.id) p on true
  order by p.sort_key ${order}, p.id ${order}`
}

export function leadPageOf(found: LeadPageRow[]): LeadPage {
  const { rows, total } = pageWithTotal(found)
  return { leads: rows, total }
}
