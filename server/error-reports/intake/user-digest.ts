import { hash } from 'node:crypto'

const maxCached = 4_096
const cache = new Map<string, string>()

/**
 * A digest of a user of an application, to count distinct users. Digests are cached, because a user who meets an error
 * usually meets it again.
 */
export function userDigestOf(applicationId: string, userId: string): string {
  const user = `${applicationId}/${userId}`
  const cached = cache.get(user)
  if (cached !== undefined) return cached
  const digest = hash('sha256', user, 'hex').slice(0, 16)
  if (cache.size >= maxCached) cache.clear()
  cache.set(user, digest)
  return digest
}
