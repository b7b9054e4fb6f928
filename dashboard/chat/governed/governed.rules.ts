import { type PeoplePanelName, peoplePanelNames } from '../panel.ts'

/** The state of the list in the address. */
export type GovernedSearch = {
  search?: string
  archived?: true
  /** The channel whose details are open. */
  open?: string
  /** The part of it that is shown instead of its facts. */
  panel?: PeoplePanelName
}

export function governedSearchOf(given: Record<string, unknown>): GovernedSearch {
  return {
    // the router reads a text of digits as a number
    ...((typeof given.search === 'string' || typeof given.search === 'number') && {
      search: String(given.search),
    }),
    ...(given.archived === true && { archived: true }),
    ...(typeof given.open === 'string' && { open: given.open, ...panelOf(given) }),
  }
}

function panelOf(given: Record<string, unknown>): { panel?: PeoplePanelName } {
  const panel = peoplePanelNames.find(one => one === given.panel)
  return panel ? { panel } : {}
}

/** The input of `listGovernedChannels`. */
export function governedInputOf({ search = '', archived }: GovernedSearch) {
  return {
    query: {
      limit: 100,
      ...(search.trim() !== '' && { search: search.trim() }),
      ...(archived && { archived }),
    },
  }
}

export function peopleSearchOf(given: Record<string, unknown>): { panel?: PeoplePanelName } {
  const panel = peoplePanelNames.find(one => one === given.panel)
  return panel && panel !== 'members' ? { panel } : {}
}

/** The same for the channels whose owners have all left the organization (CHN-16). */
export function ownerlessInputOf(search: GovernedSearch) {
  return { query: { ...governedInputOf(search).query, hasOwner: false } }
}
