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

/** What a contact shows to be let into the portal; `nowSeconds` by the database. */
export function newSession(
  seals: Seals,
  organizationId: string,
  contactId: string,
  nowSeconds: number,
): { token: string; expiresAt: string } {
  const expires = nowSeconds + limits.portalSessionHours * 3_600
  const said = `${organizationId}.${contactId}.${expires}`
  return {
    token: `${said}.${seals.seal(purpose, said)}`,
    expiresAt: new Date(expires * 1_000).toISOString(),
  }
}

export type Customer = CustomerRow & { db: Db }

/**
 * Who comes with a session of the portal: a contact who is neither archived nor erased and belongs to a client still.
 * Refuses UNAUTHENTICATED.
 */
export async function customerFor(
  { database, seals }: World,
  { authorization = '' }: IncomingHttpHeaders,
): Promise<Customer> {
  const [, token = ''] = /^Bearer (\S{1,200})$/.exec(authorization) ?? []
  const [organizationId = '', contactId = '', expires = '', seal = '', ...rest] = token.split('.')
  const said = `${organizationId}.${contactId}.${expires}`
  const isOurs = rest.length === 0 && seals.isSealed(purpose, said, seal)
  if (!isOurs || !isId(organizationId) || !isId(contactId)) fail('UNAUTHENTICATED')
  const db = database.of(organizationId)
  const [customer, nowSeconds] = await Promise.all([customerById(db, contactId), secondsNow(db)])
  if (!customer || nowSeconds >= Number(expires)) fail('UNAUTHENTICATED')
  return { ...customer, db }
}
