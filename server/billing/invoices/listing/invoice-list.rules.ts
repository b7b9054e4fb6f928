import { searchPattern } from '#server/crm/index.ts'

/** The range of invoice numbers and the pattern of client names to search. */
export type InvoiceSearch = [from: string, to: string, clients: string]

/**
 * Searches for a number that starts with the text, or a client whose name contains it. Refuses a text that is too
 * short.
 */
export function invoiceSearchOf(search: string | undefined): InvoiceSearch | null {
  const clients = searchPattern(search)
  if (search === undefined || clients === null) return null
  const beginning = search.trim().toUpperCase()
  // the end of the range of numbers with this prefix
  return [beginning, `${beginning}\u{10ffff}`, clients]
}
