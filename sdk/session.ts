import type { Route } from '#contract/route.ts'
import { type Answer, CallError, type Client, type ClientOptions, connect, originOf } from './client.ts'
import { getSessionToken } from './routes.ts'

export type SignIn = {
  email: string
  password: string
  /**
   * The six digits of an authenticator, for an account with a second factor; a function is called when they
   * are needed.
   */
  code?: string | (() => string | Promise<string>)
  /** The organization to work in; by default the one that the person joined first. */
  organizationId?: string
} & ClientOptions

/** A client of a signed-in person. It renews its session token automatically until the sign-in ends. */
export type Session = Client & {
  /** The current session token, for calls outside this client. */
  token(): Promise<string>
  /** The same person in another organization, with the same sign-in. */
  inOrganization(organizationId: string): Session
  /** Ends the sign-in and all its session tokens. */
  signOut(): Promise<void>
}

type SessionToken = { token: string; expiresAt: string }
/** A token that expires within this time is renewed before use. */
const renewBeforeMs = 30_000

/**
 * Signs a person in with e-mail and password, and a code if the account requires one. Throws a CallError if
 * the server refuses, and an Error if a code is required and missing.
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
  // the challenge is in a cookie, which the server only accepts with an Origin, as browsers send it; the
  // sign-in token is then in the reply's cookie only
  const Cookie = cookiesOf(challenge).join('; ')
  const answer = await post(origin, '/two-factor/verify-totp', { code: digits }, { Cookie, Origin: origin })
  const signedIn = cookiesOf(answer).find(cookie => /session_token=/.test(cookie))
  if (!signedIn) throw new Error('The server took the code and signed nobody in')
  return decodeURIComponent(signedIn.slice(signedIn.indexOf('=') + 1))
}

/** The cookies of a response, each as `name=value`. */
function cookiesOf({ headers }: Answer<unknown>): string[] {
  return headers.getSetCookie().map(line => line.replace(/;.*/, ''))
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
    if (current && isUsable && !isRefused) return current.token
    // concurrent calls wait for the same token
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

/** A route of sign-in, which is not in the contract. */
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
