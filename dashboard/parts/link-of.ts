/** The address of a link if it is one of https, http and mailto, or a path of this server; else undefined. */
export function linkOf(address: string): { href: string; host?: string } | undefined {
  // browsers drop control characters and read a backslash as a slash
  const hasHidden = [...address].some(character => character <= ' ' || character === '\\')
  if (hasHidden || address === '') return undefined
  if (address.startsWith('/')) return address.startsWith('//') ? undefined : { href: address }
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return undefined
  try {
    const url = new URL(address)
    return url.protocol === 'mailto:' ? { href: url.href } : { href: url.href, host: url.host }
  } catch {
    return undefined
  }
}
