import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '#contract/limits.ts'

/** The browser of a signer, as it names itself. */
export function userAgentOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  return agent.toWellFormed().slice(0, limits.userAgent)
}
