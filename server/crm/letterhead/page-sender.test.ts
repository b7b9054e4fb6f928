import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePublicLink } from '#contract/billing/links.ts'
import { openPublicLogo, removeLogo, updateLetterhead } from '#contract/crm/letterhead.ts'
import { makeInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { makeBudget, setLogo } from '#tests/support/crm/budgets.ts'
import { openPortal } from '#tests/support/crm/portal.ts'
import { issueLink } from '#tests/support/crm/signing.ts'
import { allCaptured, defined } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let sha256: string
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization({ name: 'Faro' })
  owner = await organization.person({ role: 'OWNER' })
  const none = { accountHolder: null, iban: null, bic: null, footer: null }
  await owner.call(updateLetterhead, { body: { ...none, accentColor: '#b3005e' } })
  await plantIssuer(server, organization.id, 'FR')
  const { logo } = await setLogo(owner)
  sha256 = defined(logo).sha256
})
afterAll(() => server?.close())

async function pageAt(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html', ...headers } })
  expect(answer.status).toBe(200)
  return { text: await answer.text(), policy: defined(answer.headers.get('content-security-policy')) }
}

test('pages of signing, payment and portal have the logo and the accent colour; their policy names the style', async () => {
  const budget = await makeBudget(owner)
  const link = await issueLink(owner, budget.id)
  const invoice = await makeInvoice(owner)
  const { publicUrl } = await owner.call(makePublicLink, { params: { id: invoice.id }, body: {} })
  const { token } = await openPortal(server, owner)
  const pages = await Promise.all([
    pageAt(new URL(link.url).pathname),
    pageAt(new URL(defined(publicUrl)).pathname),
    pageAt(`/portal/sign-in/${organization.id}`),
    pageAt('/portal/budgets', { cookie: `patio_portal=${token}` }),
    pageAt('/portal/invoices', { cookie: `patio_portal=${token}` }),
  ])
  const path = `/api/crm/logos/${organization.id}/${sha256}`
  expect((await fetch(`${server.url}${path}`)).status).toBe(200)
  for (const { text, policy } of pages) {
    expect(text).toContain(`<img src="${path}" alt="">`)
    const styles = allCaptured(/<style>([\s\S]*?)<\/style>/g, text)
    expect(styles).toHaveLength(2)
    expect(styles[1]).toContain('--accent:#b3005e')
    const digests = styles.map(style => `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).toContain(`style-src ${digests.join(' ')};`)
    expect(policy).toContain("img-src 'self' data:;")
  }
})

test('a page of an organization without letterhead has its name alone', async () => {
  const other = await server.organization({ name: 'Sin logo' })
  const { text } = await pageAt(`/portal/sign-in/${other.id}`)
  expect(text).toContain('<header class="sender">Sin logo</header>')
  expect(text.match(/<style>/g)).toHaveLength(1)
})

test('anybody can open the current logo of an organization, and no other file', async () => {
  const client = server.client()
  const open = (organizationId: string, digest: string) =>
    client.send(openPublicLogo, { params: { organizationId, sha256: digest } })
  const shown = await open(organization.id, sha256)
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(createHash('sha256').update(shown.bytes).digest('hex')).toBe(sha256)
  const other = await server.organization()
  for (const [id, digest] of [
    [other.id, sha256],
    [organization.id, 'f'.repeat(64)],
    ['unknown', sha256],
  ] as const)
    expect(refusalOf(await open(id, digest))).toEqual([404, 'FILE_NOT_FOUND'])
  await owner.call(removeLogo)
  expect(refusalOf(await open(organization.id, sha256))).toEqual([404, 'FILE_NOT_FOUND'])
})
