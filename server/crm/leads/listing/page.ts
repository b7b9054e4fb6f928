import { type ShownLead, shownLead } from '../lead.row.ts'

/** A page of leads, and how many there are on all of them. */
export type Found = { leads: ShownLead[]; total: number }
/** A page without leads still has one row, with the total alone. */
export type PageRow = { total: number } & (ShownLead | { id: null })

/**
 * What gives a page with its total in one statement: `total` selects that, `ids` the `id` and the `place` of what stands on
 * the page, in whose order its leads come.
 */
export function paged(total: string, ids: string, order: 'asc' | 'desc'): string {
  return `
  select t.total, p.* from (${total}) t left join (
    select ${shownLead}, i.place from (${ids}) i join lead l on l.organization_id = $1 and l.id = i.id) p on true
  order by p.place ${order}, p.id ${order}`
}

export function foundOn(rows: PageRow[]): Found {
  return {
    leads: rows.filter((row): row is ShownLead & { total: number } => row.id !== null),
    total: rows[0]!.total,
  }
}
