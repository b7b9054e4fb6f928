import { patternOf } from '#server/crm/index.ts'

/** What invoices are looked for by: numbers from the first text up to the second, clients by the pattern. */
export type InvoiceSearch = [from: string, to: string, clients: string]

/** Looks for a text as the beginning of a number, and in the names of clients. Refuses one that is too short. */
export function invoiceSearchOf(search: string | undefined): InvoiceSearch | null {
  const clients = patternOf(search)
  if (search === undefined || clients === null) return null
  const beginning = search.trim().toUpperCase()
  // nothing that begins so comes after it
  return [beginning, `${beginning}\u{10ffff}`, clients]
}
