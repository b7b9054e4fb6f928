import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Services } from '#platform/services.ts'
import { type CustomerRow, customerBySession } from './portal.sql.ts'
import { digestOf, sessionSecret } from './portal.token.ts'

/** For recognizing the session of a customer. */
type PortalServices = Pick<Services, 'database' | 'publicUrl'>

/** The cookie that stores a session for portal pages only. */
export function sessionCookie({ publicUrl }: Pick<Services, 'publicUrl'>, token: string): string {
  return cookie(publicUrl, token, limits.portalSessionHours * 3_600)
}

/** The cookie that deletes it. */
export function expiredCookie({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return cookie(publicUrl, '', 0)
}

/** The prefix `__Host-` makes browsers refuse a cookie that another host of the domain or plain HTTP sets. */
function cookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-patio_portal' : 'patio_portal'
}

function cookie(publicUrl: string, value: string, seconds: number): string {
  const path = publicUrl.startsWith('https:') ? 'Path=/' : 'Path=/portal'
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(publicUrl)}=${value}; ${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

/** A signed-in contact; `sessionDigest` identifies the session. */
export type PortalCustomer = CustomerRow & { db: Db; sessionDigest: string }

/** The contact of the session in the headers; undefined without a valid session. */
export async function findCustomer(
  { database, publicUrl }: PortalServices,
  headers: IncomingHttpHeaders,
): Promise<PortalCustomer | undefined> {
  const token = tokenFrom(headers, cookieName(publicUrl))
  const organizationId = sessionSecret.organizationOf(token)
  if (organizationId === undefined) return undefined
  const db = database.of(organizationId)
  const sessionDigest = digestOf(token)
  const customer = await customerBySession(db, sessionDigest)
  return customer && { ...customer, db, sessionDigest }
}

/** The same. Refuses UNAUTHENTICATED. */
export async function customerFor(
  services: PortalServices,
  headers: IncomingHttpHeaders,
): Promise<PortalCustomer> {
  return (await findCustomer(services, headers)) ?? fail('UNAUTHENTICATED')
}

/** Programs send a bearer token, browsers a cookie. */
function tokenFrom({ authorization, cookie = '' }: IncomingHttpHeaders, name: string): string {
  if (authorization !== undefined) return /^Bearer (\S{1,200})$/.exec(authorization)?.[1] ?? ''
  const pair = cookie.split(';').find(one => one.trim().startsWith(`${name}=`))
  return /=(\S{1,200})$/.exec(pair?.trim() ?? '')?.[1] ?? ''
}
