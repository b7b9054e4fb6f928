import { getSessionToken } from '#contract/identity/sessions.ts'
import type { Route } from '#contract/route.ts'
import { CallError, type CallInput, connect } from '#sdk/client.ts'
import { clearDrafts } from './drafts-store.ts'
import { untilSignedInAgain } from './sign-in-again.ts'
import { keepPosition, positionOf } from './stream-position.ts'
import { broadcastSignOut, onSignOut } from './tabs.ts'

type SessionToken = { token: string; expiresAt: string }

/** A token that expires within this time is renewed before use. */
const renewBeforeMs = 60_000
const account = connect(location.origin)
const tokens = new Map<string, SessionToken>()
/** The person whose data this tab shows. */
let personId: string | undefined
const renewals = new Map<string, Promise<SessionToken>>()

/**
 * The session token for one organization. It stays in the memory of this tab; the cookie of the sign-in is all
 * that the browser keeps. Concurrent callers wait for the same renewal.
 */
export async function sessionToken(organizationId: string, isRefused = false): Promise<string> {
  const current = tokens.get(organizationId)
  if (current && !isRefused && Date.parse(current.expiresAt) - Date.now() > renewBeforeMs)
    return current.token
  let renewal = renewals.get(organizationId)
  if (!renewal) {
    renewal = renew(organizationId).finally(() => renewals.delete(organizationId))
    renewals.set(organizationId, renewal)
  }
  const renewed = await renewal
  tokens.set(organizationId, renewed)
  return renewed.token
}

async function renew(organizationId: string): Promise<SessionToken> {
  try {
    const { person, streamPosition, ...renewed } = await account.call(getSessionToken, {
      query: { organizationId },
    })
    if (personId !== undefined && personId !== person.id) return reloadForOtherPerson()
    personId = person.id
    keepFirstPosition(organizationId, streamPosition)
    return renewed
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 401) throw error
    await untilSignedInAgain()
    return renew(organizationId)
  }
}

/**
 * Gets a session token for the organization that an address, a former address or an id names, and tells its id
 * and its address. Undefined if the person is in no such organization.
 */
export async function openOrganization(name: string): Promise<{ id: string; address: string } | undefined> {
  try {
    const { person, organization, streamPosition, ...token } = await account.call(getSessionToken, {
      query: { organization: name },
    })
    if (personId !== undefined && personId !== person.id) return reloadForOtherPerson()
    personId = person.id
    keepFirstPosition(organization.id, streamPosition)
    tokens.set(organization.id, token)
    return organization
  } catch (error) {
    if (error instanceof CallError && [400, 404].includes(error.status)) return undefined
    throw error
  }
}

/** A later position would skip changes of what was read with the first token. */
function keepFirstPosition(organizationId: string, position: string): void {
  if (positionOf(organizationId) === undefined) keepPosition(organizationId, position)
}

/** Another person has signed in with this browser: nothing of the former one may stay in this tab. */
function reloadForOtherPerson(): Promise<never> {
  location.reload()
  return new Promise(() => {})
}

/** Forgets the session tokens, so that the next call gets new ones: after a change of rights or of the person. */
export function forgetTokens(): void {
  tokens.clear()
}

const clients = new Map<string, ReturnType<typeof connect>>()

/** The client of the signed-in person in one organization. */
export function clientOf(organizationId: string): ReturnType<typeof connect> {
  let client = clients.get(organizationId)
  if (!client) {
    client = connect(location.origin, { token: isRefused => sessionToken(organizationId, isRefused) })
    clients.set(organizationId, client)
  }
  return client
}

/** Calls an operation of the account, with the cookie of the sign-in alone. */
export function callAccount<In, Out>(route: Route<In, Out>, input?: CallInput<In>): Promise<Out> {
  return account.call(route, input)
}

/** Ends the sign-in in this browser, in all its tabs. */
export async function signOut(): Promise<void> {
  await signInRequest('/sign-out', {})
  await endSession()
}

/** Ends every session of the person, on all devices. */
export async function signOutEverywhere(): Promise<void> {
  await signInRequest('/revoke-sessions', {})
  await endSession()
}

async function endSession(): Promise<void> {
  await clearDrafts()
  broadcastSignOut()
}

onSignOut(() => {
  forgetTokens()
  personId = undefined
})

/** A route of sign-in, which is not an operation of the contract. Throws a CallError if it is refused. */
export function signInRequest<Out>(path: string, body: object): Promise<Out> {
  const route: Route<{ body: object }, Out> = {
    method: 'POST',
    path,
    area: 'auth',
    auth: { public: true },
    status: 200,
  }
  return account.call(route, { body })
}

/** A route of sign-in that only reads. */
export function signInRead<Out>(path: string): Promise<Out> {
  const route: Route<unknown, Out> = {
    method: 'GET',
    path,
    area: 'auth',
    auth: { public: true },
    status: 200,
  }
  return account.call(route)
}
