import { createHash, randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { openSignInServer, type SignInClient, type SignInServer } from './test-server.ts'

const clientId = 'patio'
const clientSecret = 'shared with the provider'

type Claims = { sub: string; email: string; email_verified?: boolean; name?: string }
type Provider = Awaited<ReturnType<typeof openProvider>>

/** A small OpenID provider: discovery, authorization code with PKCE, signed ID tokens. */
async function openProvider() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const stranger = await generateKeyPair('ES256')
  const app = fastify()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => Object.fromEntries(new URLSearchParams(text)),
  )
  const granted = new Map<string, { nonce: string; challenge: string; redirectUri: string }>()
  const provider = {
    url: '',
    person: { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada' } as Claims,
    /** Ways to misbehave. */
    lies: {} as {
      issuer?: string
      audience?: string
      nonce?: string
      isForged?: boolean
      isOld?: boolean
      isAway?: boolean
    },
    issued: [] as string[],
    close: () => app.close(),
  }
  app.get('/.well-known/openid-configuration', async (_request, reply) =>
    provider.lies.isAway
      ? reply.code(500).send()
      : {
          issuer: provider.url,
          authorization_endpoint: `${provider.url}/authorize`,
          token_endpoint: `${provider.url}/token`,
          jwks_uri: `${provider.url}/jwks`,
          id_token_signing_alg_values_supported: ['ES256'],
        },
  )
  app.get('/jwks', async () => ({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }],
  }))
  app.get<{ Querystring: Record<string, string> }>('/authorize', async ({ query }, reply) => {
    const {
      client_id,
      redirect_uri = '',
      state = '',
      nonce = '',
      code_challenge = '',
      code_challenge_method,
    } = query
    if (client_id !== clientId || code_challenge_method !== 'S256' || !query.scope?.includes('openid'))
      return reply.code(400).send()
    const code = randomUUID()
    granted.set(code, { nonce, challenge: code_challenge, redirectUri: redirect_uri })
    const back = new URL(redirect_uri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', state)
    return reply.redirect(back.href)
  })
  app.post<{ Body: Record<string, string> }>('/token', async ({ body }, reply) => {
    const grant = granted.get(body.code ?? '')
    granted.delete(body.code ?? '')
    const challenge = createHash('sha256')
      .update(body.code_verifier ?? '')
      .digest('base64url')
    const isRight =
      grant?.challenge === challenge &&
      grant.redirectUri === body.redirect_uri &&
      body.client_id === clientId &&
      body.client_secret === clientSecret
    if (!isRight) return reply.code(400).send({ error: 'invalid_grant' })
    const { lies, person, url } = provider
    const { sub, ...claims } = person
    const idToken = await new SignJWT({ ...claims, nonce: lies.nonce ?? grant.nonce })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject(sub)
      .setIssuer(lies.issuer ?? url)
      .setAudience(lies.audience ?? clientId)
      .setIssuedAt()
      .setExpirationTime(lies.isOld ? '-1h' : '5m')
      .sign(lies.isForged ? stranger.privateKey : privateKey)
    const accessToken = `access-${randomUUID()}`
    provider.issued.push(idToken, accessToken)
    return { id_token: idToken, access_token: accessToken, token_type: 'Bearer', expires_in: 300 }
  })
  provider.url = await app.listen({ port: 0, host: '127.0.0.1' })
  return provider
}

let provider: Provider
let server: SignInServer
const settings = (issuer: string) => ({ oidc: { name: 'Company account', issuer, clientId, clientSecret } })
beforeAll(async () => {
  provider = await openProvider()
  server = await openSignInServer(settings(provider.url))
})
beforeEach(async () => {
  await server.forgetRates()
  await server.pool.query('delete from person')
  provider.lies = {}
  provider.person = {
    sub: 'ada-1',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada of the provider',
  }
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const verified = (email: string) => server.signIn.createPerson({ email, name: 'Ada', isEmailVerified: true })

/** From the button to the page that the browser ends on. */
async function signInAtProvider(page: SignInClient, body: Record<string, unknown> = {}): Promise<string> {
  const callback = await callbackOf(page, body)
  const { status, headers } = await page.get(callback)
  expect(status).toBe(302)
  return defined(headers.get('location'))
}
async function callbackOf(page: SignInClient, body: Record<string, unknown> = {}): Promise<string> {
  const started = await page.post('/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/welcome',
    errorCallbackURL: '/sign-in',
    ...body,
  })
  expect(started.status).toBe(200)
  const atProvider = await fetch(String(started.body.url), { redirect: 'manual' })
  expect(atProvider.status).toBe(302)
  const back = new URL(defined(atProvider.headers.get('location')))
  expect(`${back.origin}${back.pathname}`).toBe(`${server.url}/api/auth/callback/oidc`)
  return `/callback/oidc${back.search}`
}
const whoIs = async (page: SignInClient) =>
  ((await page.get('/get-session')).body?.user as { email: string } | undefined)?.email
const links = async () =>
  (await server.pool.query("select * from credential where provider_id = 'oidc'")).rows as Record<
    string,
    unknown
  >[]

test('a person with a verified e-mail is linked once and signed in', async () => {
  const { id } = await verified('ada@example.com')
  const page = server.client()
  expect((await page.get('/methods')).body).toMatchObject({ oidc: { name: 'Company account' } })
  expect(await signInAtProvider(page)).toBe('/welcome')
  expect(await whoIs(page)).toBe('ada@example.com')
  expect(await links()).toMatchObject([{ person_id: id, account_id: 'ada-1' }])

  // the subject identifies them from now on, not the address
  provider.person.email = 'ada.new@example.com'
  const again = server.client()
  await signInAtProvider(again)
  expect(await whoIs(again)).toBe('ada@example.com')
  expect(await links()).toHaveLength(1)
  expect((await server.pool.query('select name from person')).rows).toEqual([{ name: 'Ada' }])
})

test('an unknown person gets no account', async () => {
  const page = server.client()
  expect(await signInAtProvider(page)).toBe('/sign-in?error=signup_disabled')
  expect(await whoIs(page)).toBeUndefined()
  expect((await server.pool.query('select 1 from person')).rowCount).toBe(0)
})

test.each([
  ['the person has not verified the e-mail', false, true],
  ['the provider has not verified the e-mail', true, false],
  ['the provider says nothing about the e-mail', true, undefined],
])('no link when %s', async (_case, isEmailVerified, email_verified) => {
  await server.signIn.createPerson({ email: 'ada@example.com', name: 'Ada', isEmailVerified })
  provider.person.email_verified = email_verified
  const page = server.client()
  expect(await signInAtProvider(page)).toBe('/sign-in?error=account_not_linked')
  expect(await whoIs(page)).toBeUndefined()
  expect(await links()).toEqual([])
})

test('a trusted provider need not verify addresses, but the person must have', async () => {
  const trusting = await openSignInServer({ oidc: { ...settings(provider.url).oidc, isEmailTrusted: true } })
  const before = server
  server = trusting
  try {
    provider.person.email_verified = undefined
    await server.signIn.createPerson({ email: 'ada@example.com', name: 'Ada' })
    expect(await signInAtProvider(server.client())).toBe('/sign-in?error=account_not_linked')
    await server.pool.query('update person set email_verified = true')
    provider.person.email_verified = false
    expect(await signInAtProvider(server.client())).toBe('/sign-in?error=account_not_linked')
    provider.person.email_verified = undefined
    expect(await signInAtProvider(server.client())).toBe('/welcome')
  } finally {
    server = before
    await trusting.close()
  }
})

test.each([
  ['another issuer', { issuer: 'https://evil.example' }],
  ['another audience', { audience: 'another client' }],
  ['another nonce', { nonce: 'from an earlier sign-in' }],
  ['a foreign signature', { isForged: true }],
  ['an old token', { isOld: true }],
])('an ID token with %s is refused', async (_case, lies) => {
  await verified('ada@example.com')
  provider.lies = lies
  const page = server.client()
  expect(await signInAtProvider(page)).toBe('/sign-in?error=unable_to_get_user_info')
  expect(await whoIs(page)).toBeUndefined()
})

test('a locked person cannot sign in', async () => {
  const { id } = await verified('ada@example.com')
  await server.lock(id)
  const page = server.client()
  expect(await signInAtProvider(page)).toMatch(/^\/sign-in\?error=PERSON_LOCKED/)
  expect(await whoIs(page)).toBeUndefined()
})

test('a callback works once and only in the browser that started it', async () => {
  await verified('ada@example.com')
  const page = server.client()
  const callback = await callbackOf(page)
  const stranger = server.client()
  expect((await stranger.get(callback)).headers.get('location')).toMatch(/\?error=state_mismatch/)
  expect(await whoIs(stranger)).toBeUndefined()

  const own = await callbackOf(page)
  expect((await page.get(own)).headers.get('location')).toBe('/welcome')
  expect((await page.get(own)).headers.get('location')).toMatch(/\?error=/)
  expect((await page.get('/callback/oidc?code=x&state=y')).headers.get('location')).toMatch(
    /\/sign-in\?error=/,
  )
  expect((await page.get('/callback/github?code=x&state=y')).headers.get('location')).toMatch(
    /\/sign-in\?error=/,
  )
})

test('the start refuses foreign return addresses and other parameters', async () => {
  const start = (body: Record<string, unknown>) =>
    server.client().post('/sign-in/social', { provider: 'oidc', ...body })
  expect((await start({ callbackURL: 'https://evil.example/' })).status).toBe(403)
  expect((await start({ callbackURL: '//evil.example/' })).status).toBe(403)
  expect((await start({ errorCallbackURL: 'https://evil.example/' })).status).toBe(403)
  for (const extra of [
    { idToken: { token: 'x' } },
    { scopes: ['admin'] },
    { additionalParams: { redirect_uri: 'https://evil.example' } },
    { requestSignUp: true },
  ]) {
    expect(await start(extra)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  }
  expect((await start({ provider: 'github' })).status).toBe(404)
})

test("the provider's tokens are neither stored nor logged", async () => {
  await verified('ada@example.com')
  await signInAtProvider(server.client())
  await signInAtProvider(server.client())
  expect(await links()).toMatchObject([{ access_token: null, refresh_token: null, id_token: null }])
  expect(provider.issued.length).toBeGreaterThan(3)
  for (const token of provider.issued) expect(server.logged()).not.toContain(token)
  expect(server.logged()).not.toContain(clientSecret)
})

test('an unreachable provider only affects itself, and works again when it is back', async () => {
  provider.lies.isAway = true
  const lonely = await openSignInServer(settings(provider.url))
  const before = server
  server = lonely
  try {
    await server.person('grace@example.com')
    expect((await server.client().signIn('grace@example.com')).status).toBe(200)
    const { status, body } = await server.client().post('/sign-in/social', { provider: 'oidc' })
    expect({ status, body }).toMatchObject({ status: 503, body: { errorCode: 'UNAVAILABLE' } })

    provider.lies.isAway = false
    await verified('ada@example.com')
    expect(await signInAtProvider(server.client())).toBe('/welcome')
  } finally {
    server = before
    await lonely.close()
  }
})

test('a hanging provider does not affect passwords', async () => {
  const silent = fastify()
  silent.get('/.well-known/openid-configuration', () => new Promise(() => {}))
  const url = await silent.listen({ port: 0, host: '127.0.0.1' })
  const patient = await openSignInServer(settings(url))
  try {
    await patient.person('grace@example.com')
    expect((await patient.client().signIn('grace@example.com')).status).toBe(200)
  } finally {
    await patient.close()
    silent.server.closeAllConnections()
    await silent.close()
  }
})
