export const releaseViews = ['source', 'rendered', 'changes'] as const
export type ReleaseView = (typeof releaseViews)[number]

/** The part of the address that says what the reader shows. */
export type ReleaseSearch = { part?: string; view?: ReleaseView; finding?: string }

export function releaseSearchOf(given: Record<string, unknown>): ReleaseSearch {
  const view = releaseViews.find(one => one === given.view)
  return {
    ...(typeof given.part === 'string' && { part: given.part }),
    ...(view && { view }),
    // the router reads a text of digits as a number
    ...((typeof given.finding === 'string' || typeof given.finding === 'number') && {
      finding: String(given.finding),
    }),
  }
}
