/** The state of the page of an asset, as the address has it. */
export type AssetPageSearch = {
  /** The open tab; without it, the text. */
  tab?: string
  /** The text is being edited. */
  edit?: true
  /** The version whose content is open beside the history, or whose files are shown. */
  version?: string
  /** The path of the open file. */
  file?: string
  /** The two versions that are compared. */
  from?: string
  to?: string
}

// the router reads a text such as 1.0 as a number
const textOf = (value: unknown) =>
  ['string', 'number'].includes(typeof value) && value !== '' ? String(value) : undefined

export function assetPageSearchOf(given: Record<string, unknown>): AssetPageSearch {
  const { tab, edit, version, file, from, to } = given
  const texts = {
    tab: textOf(tab),
    version: textOf(version),
    file: textOf(file),
    from: textOf(from),
    to: textOf(to),
  }
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    ...(edit === true && { edit }),
  }
}
