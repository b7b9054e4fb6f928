import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { isId } from '#platform/ids.ts'
import type { Seals } from '#platform/seal.ts'
import type { World } from '#platform/serve.ts'
import { type CustomerRow, customerById, secondsNow } from './store.ts'

/** Names the form of the sealed text as well: another one takes another name. */
const purpose = 'portal session 1'
const lifetimeSeconds = limits.portalSessionHours * 3_600

/** What a contact shows to be let into the portal; `nowSeconds` by the database. */
export function newSession(
  seals: Seals,
  organizationId: string,
  contactId: string,
  nowSeconds: number,
): { token: string; expiresAt: string } {
  const expires = nowSeconds + lifetimeSeconds
  const said = `${organizationId}.${contactId}.${expires}`
  return {
    token: `${said}.${seals.seal(purpose, said)}`,
    expiresAt: new Date(expires * 1_000).toISOString(),
  }
}

/** Has a browser keep a session for the pages of the portal, and for no page or script of elsewhere. */
export function cookieFor({ publicUrl }: Pick<World, 'publicUrl'>, token: string): string {
  return cookie(publicUrl, token, lifetimeSeconds)
}

/** Has a browser forget it. */
export function noCookie({ publicUrl }: Pick<World, 'publicUrl'>): string {
  return cookie(publicUrl, '', 0)
}

function cookie(publicUrl: string, value: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `patio_portal=${value}; Path=/portal; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

export type Customer = CustomerRow & { db: Db }

/**
 * Who comes with a session of the portal: a contact who is neither archived nor erased and belongs to a client still.
 * Refuses UNAUTHENTICATED.
 */
export async function customerFor(
  { database, seals }: Pick<World, 'database' | 'seals'>,
  headers: IncomingHttpHeaders,
): Promise<Customer> {
  const [organizationId = '', contactId = '', expires = '', seal = '', ...rest] = tokenIn(headers).split('.')
  const said = `${organizationId}.${contactId}.${expires}`
  const isOurs = rest.length === 0 && seals.isSealed(purpose, said, seal)
  if (!isOurs || !isId(organizationId) || !isId(contactId)) fail('UNAUTHENTICATED')
  const db = database.of(organizationId)
  const [customer, nowSeconds] = await Promise.all([customerById(db, contactId), secondsNow(db)])
  if (!customer || nowSeconds >= Number(expires)) fail('UNAUTHENTICATED')
  return { ...customer, db }
}

/** A program says who it is, a browser has a cookie. */
function tokenIn({ authorization, cookie = '' }: IncomingHttpHeaders): string {
  const [, token = ''] =
    authorization === undefined
      ? (/(?:^|;\s*)patio_portal=([^\s;]{1,200})(?:;|$)/.exec(cookie) ?? [])
      : (/^Bearer (\S{1,200})$/.exec(authorization) ?? [])
  return token
}
