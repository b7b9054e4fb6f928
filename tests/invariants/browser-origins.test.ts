import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPortalSession } from '#contract/crm/portal.ts'
import { acceptInvitationSignedIn } from '#contract/identity/invitations.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { failOnContractBreach } from '#platform/http/contract-check.ts'
import { openLog } from '#platform/log.ts'
import type { Api } from '#server/api.ts'
import { openApiProcess } from '#server/api.ts'
import { openPortal, plantPortalLink } from '#tests/support/crm/portal.ts'
import { firstOf } from '#tests/support/elements.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { operationCases } from './operations.ts'

const all = await operationCases()
/** The requests that another site can make a browser send: forms of pages, and requests with the sign-in cookie. */
const forms = all.filter(
  ({ contract, auth }) => contract.method !== 'GET' && (contract.isHtmlPage === true || auth === 'account'),
)

let server: TestServer
let owner: Person
/** The same product behind https. */
let secured: Api
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
  const silent = openLog('silent', 'test', { write: () => {} })
  secured = await openApiProcess(
    { ...server.config, publicUrl: 'https://patio.example' },
    silent,
    failOnContractBreach(),
  )
})
beforeEach(() => server.sql('delete from rate_window'))
afterAll(() => Promise.all([secured?.close(), server?.close()]))

const foreign: Record<string, string>[] = [
  { origin: 'https://attacker.example' },
  { origin: 'null' },
  { origin: 'http://localhost:4001' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://attacker.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
]
const own: Record<string, string>[] = [
  {},
  { origin: 'http://localhost:4000' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  // a page without a referrer posts like this
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
]

async function post(
  path: string,
  headers: Record<string, string>,
  fields: object = {},
  url = server.url,
  method = 'POST',
) {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  })
  const text = await answer.text()
  return { status: answer.status, text, cookies: answer.headers.getSetCookie() }
}
const notAllowed = (text: string) => text.includes('ORIGIN_NOT_ALLOWED')

describe('a page of another origin', () => {
  test('cannot post a form, whatever headers its browser sends, and uses no limit', async () => {
    const prefixes = new Set(forms.map(({ route }) => route.split('/')[1]))
    expect([...prefixes].sort()).toEqual(['api', 'c', 'p', 'portal', 's', 'verify'])
    for (const { name, auth, contract } of forms) {
      const path = pathAt(auth, contract).replaceAll(/:\w+/g, 'x')
      // a browser adds cookies by itself; their value is checked later
      const cookie: Record<string, string> =
        auth === 'account'
          ? { cookie: `patio.session_token=${encodeURIComponent(await signInToken(server, owner))}` }
          : {}
      const send = (headers: Record<string, string>) => post(path, headers, {}, server.url, contract.method)
      for (const headers of foreign) {
        const answer = await send({ ...headers, ...cookie })
        expect([name, headers, answer.status, notAllowed(answer.text)]).toEqual([name, headers, 403, true])
      }
      if (auth === 'public') expect(await server.sql('select bucket from rate_window')).toEqual([])
      for (const headers of own) {
        const answer = await send({ ...headers, ...cookie })
        expect([name, headers, notAllowed(answer.text)]).toEqual([name, headers, false])
      }
      await server.sql('delete from rate_window')
    }
  })

  test('cannot sign anybody in to the portal', async () => {
    const { contactId } = await openPortal(server, owner)
    const token = await plantPortalLink(server, owner, contactId)
    const path = pathAt('public', openPortalSession)
    const html = { accept: 'text/html', origin: 'https://attacker.example' }
    const refused = await post(path, html, { token })
    expect([refused.status, refused.cookies]).toEqual([403, []])
    expect(refused.text).toContain('<!doctype html>')
    // the link is still valid
    expect(
      (await post(path, { accept: 'text/html', origin: server.config.publicUrl }, { token })).status,
    ).toBe(303)
  })

  test('does not include own pages on another host name than PUBLIC_URL', async () => {
    const path = pathAt('public', openPortalSession)
    const answer = await post(path, { origin: server.url }, { token: 'x' })
    expect(answer.status).toBe(401)
  })

  test('does not affect a program with a token', async () => {
    const headers = {
      authorization: `Bearer ${await signInToken(server, owner)}`,
      origin: 'https://attacker.example',
    }
    const answer = await post(pathAt('account', acceptInvitationSignedIn), headers, {
      secret: 'x'.repeat(43),
    })
    expect(notAllowed(answer.text)).toBe(false)
  })
})

describe('the cookie of the portal', () => {
  test('is bound to the host on https, and is only read under that name', async () => {
    const { contactId, token: session } = await openPortal(server, owner)
    const token = await plantPortalLink(server, owner, contactId)
    const headers = { accept: 'text/html', origin: 'https://patio.example' }
    const entered = await post(pathAt('public', openPortalSession), headers, { token }, secured.url)
    expect(entered.status).toBe(303)
    const [cookie = ''] = entered.cookies
    expect(cookie).toMatch(
      new RegExp(
        `^__Host-patio_portal=[^;]+; Path=/; Max-Age=${limits.portalSessionHours * 3_600}; HttpOnly; SameSite=Strict; Secure$`,
      ),
    )
    const status = async (name: string, value: string, url: string) =>
      (await fetch(`${url}/portal/budgets`, { headers: { cookie: `${name}=${value}` } })).status
    expect(await status('__Host-patio_portal', session, secured.url)).toBe(200)
    // a page of another host of the same domain could have set this one
    expect(await status('patio_portal', session, secured.url)).toBe(401)
    expect(await status('patio_portal', session, server.url)).toBe(200)

    const left = await post(
      '/portal/sign-out',
      { ...headers, cookie: firstOf(cookie.split(';')) },
      {},
      secured.url,
    )
    expect(left.cookies[0]).toMatch(/^__Host-patio_portal=; Path=\/; Max-Age=0;/)
  })
})
