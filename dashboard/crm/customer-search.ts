/** The state of a list of clients or contacts, as the address has it. */
export type CustomerSearch = {
  search?: string
  archived?: true
  /** The row whose details are open. */
  open?: string
  /** Only the contacts of this client. */
  clientId?: string
}

export function customerSearchOf({
  search,
  archived,
  open,
  clientId,
}: Record<string, unknown>): CustomerSearch {
  return {
    ...(typeof search === 'string' && { search }),
    ...(archived === true && { archived }),
    ...(typeof open === 'string' && { open }),
    ...(typeof clientId === 'string' && { clientId }),
  }
}

/** The query of the list. The server searches for two characters and more. */
export function customerQueryOf({ search = '', archived, clientId }: CustomerSearch) {
  return {
    ...(search.trim().length > 1 && { search: search.trim() }),
    ...(archived && { archived }),
    ...(clientId && { clientId }),
  }
}
