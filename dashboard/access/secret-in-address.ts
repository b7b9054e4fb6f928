/**
 * Reads a secret from the fragment of the address (`#token=…`) and takes it out of the address at once, so that
 * it stays in no history and no bookmark.
 */
export function takeSecret(name: string): string | undefined {
  const secret = new URLSearchParams(location.hash.slice(1)).get(name)
  if (secret === null) return taken.get(name)
  taken.set(name, secret)
  history.replaceState(history.state, '', location.pathname + location.search)
  return secret
}

// a page may be rendered twice
const taken = new Map<string, string>()
