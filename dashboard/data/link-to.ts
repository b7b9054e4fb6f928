import { defaultParseSearch } from '@tanstack/react-router'

/** The properties of a router link to a path with search parameters. Its `to` takes a path alone. */
export function linkTo(href: string): { to: string; search: never } {
  const at = href.indexOf('?')
  if (at === -1) return { to: href, search: {} as never }
  return { to: href.slice(0, at), search: defaultParseSearch(href.slice(at)) as never }
}
