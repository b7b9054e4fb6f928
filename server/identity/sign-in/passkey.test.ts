import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, openProfile } from '#tests/support/browser.ts'
import { defined } from '#tests/support/elements.ts'
import { openSignInServer, type SignInServer, strongPassword } from './test-server.ts'

let server: SignInServer
let browser: Browser
beforeAll(async () => {
  server = await openSignInServer()
  browser = await openBrowser()
})
beforeEach(async () => {
  await server.forgetRates()
})
afterAll(async () => {
  await browser?.close()
  await server.close()
})

/** A fresh browser profile with a security key plugged in, whose PIN is known or not. */
async function openAuthenticator({ isUserVerified = true } = {}) {
  const context = await openProfile(browser)
  const page = await context.newPage()
  await page.goto(server.url)
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return { page, cdp, authenticatorId, close: () => context.close() }
}

// what the pages use of the browser's own interface; the project is checked without the DOM library
type Made = { toJSON(): { response: Record<string, string> } }
declare const PublicKeyCredential: Record<
  'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON',
  (json: unknown) => unknown
>
declare const navigator: { credentials: Record<'create' | 'get', (options: unknown) => Promise<Made>> }
type Answer = { status: number; body: Record<string, unknown>; token: string | null }

/** Calls sign-in from within the page, as the dashboard does. */
function call(page: Page, method: string, path: string, body?: unknown): Promise<Answer> {
  return page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(`/api/auth${path}`, {
        method: method as string,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      const read = (await answer.json()) as Answer['body']
      return { status: answer.status, body: read, token: answer.headers.get('set-auth-token') }
    },
    [method, path, body] as const,
  )
}

async function register(page: Page, name = 'Laptop') {
  const options = await call(page, 'GET', '/passkey/generate-register-options')
  const response = await page.evaluate(async options => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = await navigator.credentials.create({ publicKey })
    return made.toJSON()
  }, options.body)
  return {
    options,
    response,
    answer: await call(page, 'POST', '/passkey/verify-registration', { response, name }),
  }
}

async function answerChallenge(page: Page, change: Record<string, unknown> = {}) {
  const options = await call(page, 'GET', '/passkey/generate-authenticate-options')
  const response = await page.evaluate(
    async options => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const made = await navigator.credentials.get({ publicKey })
      return made.toJSON()
    },
    { ...options.body, ...change },
  )
  return { options, response }
}

async function moveCredentials(from: { cdp: CDPSession; authenticatorId: string }, to: typeof from) {
  const { credentials } = await from.cdp.send('WebAuthn.getCredentials', {
    authenticatorId: from.authenticatorId,
  })
  for (const credential of credentials) {
    await to.cdp.send('WebAuthn.addCredential', { authenticatorId: to.authenticatorId, credential })
  }
}

async function withPassword(page: Page, email: string) {
  const answer = await call(page, 'POST', '/sign-in/email', { email, password: strongPassword })
  expect(answer.status).toBe(200)
  // a page gets no token that a script could carry away
  expect(answer.token).toBeNull()
  expect(answer.body.token).toBeUndefined()
}

test('a registered passkey signs in without e-mail or password', async () => {
  await server.person('ada@example.com')
  const first = await openAuthenticator()
  await withPassword(first.page, 'ada@example.com')
  const { options, answer } = await register(first.page)
  expect(options.body).toMatchObject({
    rp: { name: 'Patio', id: 'localhost' },
    user: { name: 'ada@example.com' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  expect(answer).toMatchObject({ status: 200, body: { name: 'Laptop', deviceType: expect.any(String) } })

  await call(first.page, 'POST', '/sign-out')
  expect((await call(first.page, 'GET', '/get-session')).body).toBeNull()
  const { options: challenge, response } = await answerChallenge(first.page)
  expect(challenge.body).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  const signedIn = await call(first.page, 'POST', '/passkey/verify-authentication', { response })
  expect(signedIn).toMatchObject({
    status: 200,
    body: { user: { email: 'ada@example.com' }, session: { id: expect.any(String) } },
  })
  expect(JSON.stringify(signedIn.body)).not.toMatch(/token|lockedAt/)
  expect((await call(first.page, 'GET', '/get-session')).body).toMatchObject({
    user: { email: 'ada@example.com' },
  })

  // the same answer a second time finds its challenge spent
  expect(await call(first.page, 'POST', '/passkey/verify-authentication', { response })).toMatchObject({
    status: 400,
    body: { errorCode: 'CHALLENGE_NOT_FOUND' },
  })
  await first.close()
})

test('passkeys can be listed, renamed and removed, by their owner only', async () => {
  await Promise.all([server.person('grace@example.com'), server.person('eve@example.com')])
  const [owner, other] = [await openAuthenticator(), await openAuthenticator()]
  await withPassword(owner.page, 'grace@example.com')
  await withPassword(other.page, 'eve@example.com')
  const { answer } = await register(owner.page)
  const { id } = answer.body
  expect((await call(other.page, 'GET', '/passkey/list-user-passkeys')).body).toEqual([])
  expect((await call(other.page, 'POST', '/passkey/delete-passkey', { id })).status).toBe(401)
  expect((await call(other.page, 'POST', '/passkey/update-passkey', { id, name: 'Mine' })).status).toBe(401)
  expect(
    (await call(owner.page, 'POST', '/passkey/update-passkey', { id, name: 'x'.repeat(121) })).status,
  ).toBe(400)
  expect(
    (await call(owner.page, 'POST', '/passkey/update-passkey', { id, name: 'Phone' })).body,
  ).toMatchObject({
    passkey: { name: 'Phone' },
  })
  expect((await call(owner.page, 'GET', '/passkey/list-user-passkeys')).body).toMatchObject([
    { id, name: 'Phone' },
  ])
  expect((await call(owner.page, 'POST', '/passkey/delete-passkey', { id })).body).toEqual({ status: true })
  await call(owner.page, 'POST', '/sign-out')
  const { response } = await answerChallenge(owner.page)
  expect(await call(owner.page, 'POST', '/passkey/verify-authentication', { response })).toMatchObject({
    status: 401,
    body: { errorCode: 'PASSKEY_NOT_FOUND' },
  })
  await Promise.all([owner.close(), other.close()])
})

test('a key without user verification cannot sign in', async () => {
  await server.person('linus@example.com')
  const owner = await openAuthenticator()
  await withPassword(owner.page, 'linus@example.com')
  await register(owner.page)
  // the same key in a reader without PIN, and a page that asks for less
  const careless = await openAuthenticator({ isUserVerified: false })
  await moveCredentials(owner, careless)
  const { response } = await answerChallenge(careless.page, { userVerification: 'discouraged' })
  expect(await call(careless.page, 'POST', '/passkey/verify-authentication', { response })).toMatchObject({
    status: 401,
    body: { errorCode: 'USER_VERIFICATION_REQUIRED' },
  })
  expect((await call(careless.page, 'GET', '/get-session')).body).toBeNull()
  await Promise.all([owner.close(), careless.close()])
})

test('a response from another origin is refused', async () => {
  const { id } = await server.person('alan@example.com')
  const owner = await openAuthenticator()
  await withPassword(owner.page, 'alan@example.com')
  await register(owner.page)
  await call(owner.page, 'POST', '/sign-out')
  const { response } = await answerChallenge(owner.page)
  const elsewhere = JSON.parse(Buffer.from(defined(response.response.clientDataJSON), 'base64url').toString())
  elsewhere.origin = 'https://evil.example'
  response.response.clientDataJSON = Buffer.from(JSON.stringify(elsewhere)).toString('base64url')
  expect(await call(owner.page, 'POST', '/passkey/verify-authentication', { response })).toMatchObject({
    status: 400,
  })
  expect((await server.pool.query('select 1 from session where person_id = $1', [id])).rowCount).toBe(0)
  await owner.close()
})

test('a locked person cannot sign in with a passkey', async () => {
  const { id } = await server.person('mallory@example.com')
  const owner = await openAuthenticator()
  await withPassword(owner.page, 'mallory@example.com')
  await register(owner.page)
  await server.lock(id)
  const { response } = await answerChallenge(owner.page)
  expect(await call(owner.page, 'POST', '/passkey/verify-authentication', { response })).toMatchObject({
    status: 403,
    body: { errorCode: 'PERSON_LOCKED' },
  })
  await owner.close()
})

test('registering requires a sign-in within the last day', async () => {
  await server.person('late@example.com')
  const owner = await openAuthenticator()
  expect((await call(owner.page, 'GET', '/passkey/generate-register-options')).status).toBe(401)
  await withPassword(owner.page, 'late@example.com')
  await server.pool.query("update session set created_at = now() - interval '25 hours'")
  expect(await call(owner.page, 'GET', '/passkey/generate-register-options')).toMatchObject({
    status: 403,
    body: { errorCode: 'SESSION_NOT_FRESH' },
  })
  await owner.close()
})
