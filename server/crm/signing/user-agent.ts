import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '#contract/limits.ts'

/** The User-Agent header, truncated. */
export function userAgentOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  return agent.toWellFormed().slice(0, limits.userAgent)
}
