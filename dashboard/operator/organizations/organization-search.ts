/** The search of the list and the organization whose details are open, as the address has them. */
export type OrganizationSearch = { search?: string; open?: string }

export function organizationSearchOf({ search, open }: Record<string, unknown>): OrganizationSearch {
  return {
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(typeof open === 'string' && { open }),
  }
}

/** The filters of the server. */
export function organizationQueryOf({ search }: OrganizationSearch): { search?: string } {
  return search === undefined ? {} : { search }
}
