import { hash } from 'node:crypto'

const mostRemembered = 4_096
const remembered = new Map<string, string>()

/**
 * Stands for a user of an application, to count different ones. Somebody who meets an error mostly meets it again: what
 * was made a moment ago is remembered.
 */
export function userDigestOf(applicationId: string, userId: string): string {
  const user = `${applicationId}/${userId}`
  const known = remembered.get(user)
  if (known !== undefined) return known
  const digest = hash('sha256', user, 'hex').slice(0, 16)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(user, digest)
  return digest
}
