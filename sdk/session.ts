import type { Route } from '#contract/route.ts'
import { type Answer, CallError, type Client, type ClientOptions, connect, originOf } from './client.ts'
import { getSessionToken } from './routes.ts'

export type SignIn = {
  email: string
  password: string
  /** The six digits of an authenticator, for an account with a second factor; a function is asked when they are needed. */
  code?: string | (() => string | Promise<string>)
  /** The organization to work in: the one that the person joined first unless told. */
  organizationId?: string
} & ClientOptions

/** A client of a signed-in person. Its session token is renewed by itself for as long as the sign-in lasts. */
export type Session = Client & {
  /** The session token of the moment, for what is not called through this client. */
  token(): Promise<string>
  /** The same person in another organization, by the same sign-in. */
  inOrganization(organizationId: string): Session
  /** Ends the sign-in, and with it every session token that it gave. */
  signOut(): Promise<void>
}

type SessionToken = { token: string; expiresAt: string }
/** A token that ends within this time is renewed before it is used. */
const renewBeforeMs = 30_000

/**
 * Signs a person in with e-mail and password, and with a code where the account asks for one.
 * Throws a CallError when the server refuses, and an Error that says so when a code is needed and none was given.
 */
export async function signIn(baseUrl: string, options: SignIn): Promise<Session> {
  const { email, password, code, organizationId, ...clientOptions } = options
  const origin = originOf(baseUrl)
  const answer = await post(origin, '/sign-in/email', { email, password })
  const { twoFactorRedirect } = answer.body as { twoFactorRedirect?: boolean }
  const signInToken = twoFactorRedirect
    ? await proveSecondFactor(origin, answer, code)
    : (answer.body as { token: string }).token
  return openSession(origin, signInToken, organizationId, clientOptions)
}

async function proveSecondFactor(
  origin: string,
  challenge: Answer<unknown>,
  code: SignIn['code'],
): Promise<string> {
  if (code === undefined) throw new Error('This account has a second factor: give its code to signIn')
  const digits = typeof code === 'function' ? await code() : code
  // the challenge is known by its cookie, which is only taken with an Origin as a browser sends it; the answer then has
  // the sign-in token in its cookie alone
  const Cookie = cookiesOf(challenge).join('; ')
  const answer = await post(origin, '/two-factor/verify-totp', { code: digits }, { Cookie, Origin: origin })
  const signedIn = cookiesOf(answer).find(cookie => /session_token=/.test(cookie))
  if (!signedIn) throw new Error('The server took the code and signed nobody in')
  return decodeURIComponent(signedIn.slice(signedIn.indexOf('=') + 1))
}

/** The cookies that an answer sets, each as `name=value`. */
function cookiesOf({ headers }: Answer<unknown>): string[] {
  return headers.getSetCookie().map(line => line.split(';', 1)[0]!)
}

function openSession(
  origin: string,
  signInToken: string,
  organizationId: string | undefined,
  options: ClientOptions,
): Session {
  const account = connect(origin, { token: signInToken }, options)
  let current: SessionToken | undefined
  let renewal: Promise<SessionToken> | undefined

  async function token(isRefused = false): Promise<string> {
    const isUsable = current && Date.parse(current.expiresAt) - Date.now() > renewBeforeMs
    if (isUsable && !isRefused) return current!.token
    // calls that come meanwhile wait for the same one
    renewal ??= account
      .call(getSessionToken, organizationId === undefined ? {} : { query: { organizationId } })
      .finally(() => {
        renewal = undefined
      })
    current = await renewal
    return current.token
  }

  return {
    ...connect(origin, { token }, options),
    token: () => token(),
    inOrganization: id => openSession(origin, signInToken, id, options),
    async signOut() {
      await post(origin, '/sign-out', {}, { Authorization: `Bearer ${signInToken}` })
      current = undefined
    },
  }
}

/** One of the sign-in operations, which are not in the contract. */
async function post(
  origin: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> {
  const route: Route<{ body: object }> = {
    method: 'POST',
    path,
    area: 'auth',
    auth: { public: true },
    status: 200,
  }
  const answer = await connect(origin).send(route, { body, headers })
  if (answer.status !== route.status) throw new CallError(answer)
  return answer
}
