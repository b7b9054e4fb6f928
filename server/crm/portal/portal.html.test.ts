import { createHash } from 'node:crypto'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readBudget, updateBudget } from '#contract/crm/budgets.ts'
import { openPortalDocument } from '#contract/crm/portal.ts'
import { updateCrmSettings } from '#contract/crm/settings.ts'
import { listSignatures } from '#contract/crm/signatures.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { openPortal, plantPortalLink, sentBudget, type TestCustomer } from '#tests/support/crm/portal.ts'
import { issueLink, signLink } from '#tests/support/crm/signing.ts'
import { defined, only } from '#tests/support/elements.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { linkSecret } from './portal.token.ts'
import { sessionCookie } from './session.ts'

let server: TestServer
let organization: Organization
let owner: Person
let customer: TestCustomer
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization({ name: 'Faro & Co' })
  owner = await organization.person({ role: 'OWNER' })
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  customer = await openPortal(server, owner)
})
afterAll(() => server?.close())

const html = { accept: 'text/html,*/*;q=0.8' }
const get = (path: string, cookie?: string) =>
  fetch(`${server.url}/portal/${path}`, {
    headers: { ...html, ...(cookie && { cookie }) },
    redirect: 'manual',
  })
const post = (path: string, fields: Record<string, string>, cookie?: string) =>
  fetch(`${server.url}/portal/${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { ...html, ...(cookie && { cookie }) },
  })
const session = () => `other=1; patio_portal=${customer.token}`

test('a customer requests a link on the page of the organization and always gets the same reply', async () => {
  const auth = await get(`sign-in/${organization.id}`)
  expect(auth.status).toBe(200)
  expect(await auth.text()).toContain('Portal de clientes de Faro &#38; Co')
  const replies = await Promise.all(
    [customer.email, 'nobody@example.test'].map(async email => {
      const answer = await post('sign-in', { organizationId: organization.id, email })
      return [answer.status, await answer.text()]
    }),
  )
  expect(replies[0]).toEqual([202, expect.stringContaining('Mira tu correo')])
  expect(replies[1]).toEqual(replies[0])
  for (const id of [newId(), 'nowhere']) expect((await get(`sign-in/${id}`)).status).toBe(404)
})

test('opening the link does not use it; the button opens a session and redirects to the budgets', async () => {
  const token = await plantPortalLink(server, owner, customer.contactId)
  for (let time = 0; time < 2; time++) {
    const page = await get(`enter/${token}`)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await page.text()).toContain(`value="${token}"`)
  }
  const entered = await post('session', { token })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/portal/budgets'])
  const cookie = only(entered.headers.getSetCookie())
  expect(cookie).toMatch(/^patio_portal=[^;]+; Path=\/portal; Max-Age=43200; HttpOnly; SameSite=Strict$/)
  expect((await get('budgets', cookie.split(';')[0])).status).toBe(200)
  expect((await post('session', { token })).status).toBe(401)
  expect((await get('enter/patio_portal_x')).status).toBe(404)
  // its form alone is valid
  expect((await get(`enter/${linkSecret.make(organization.id)}`)).status).toBe(200)
  expect(sessionCookie({ publicUrl: 'https://patio.example' }, 'x')).toMatch(/; Secure$/)
  expect(server.logged()).not.toContain(token)
})

test('without a session the page says so, and signing out ends a session', async () => {
  for (const cookie of [
    undefined,
    'patio_portal=',
    `patio_portal=${customer.token}x`,
    `x_${session()}`.replace('; ', ''),
  ]) {
    const page = await get('budgets', cookie)
    expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('Tienes que entrar')])
  }
  const left = await post('sign-out', {}, session())
  expect(left.headers.getSetCookie()).toEqual([expect.stringMatching(/^patio_portal=; .*Max-Age=0/)])
  expect((await get('budgets', session())).status).toBe(401)
})

test('a budget is read and signed on its page, which escapes its content', async () => {
  expect(await (await get('budgets', session())).text()).toContain('Todavía no hay ninguno')
  const budget = await sentBudget(owner, customer.clientId, {
    title: 'Web <script>alert(1)</script>',
    notes: '"Nota"',
  })
  const list = await (await get('budgets', session())).text()
  for (const shown of [
    `/portal/budgets/${budget.id}"`,
    budget.code,
    'Pendiente de tu firma',
    '&#60;script&#62;',
  ])
    expect(list).toContain(shown)
  const answer = await get(`budgets/${budget.id}`, session())
  const page = await answer.text()
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  for (const shown of ['Diseño', '&#34;Nota&#34;', 'firma electrónica simple']) expect(page).toContain(shown)
  for (const text of [list, page]) expect(text).not.toMatch(/<script|https?:\/\//)
  const [, documentHash = ''] = defined(/name="documentHash" value="([0-9a-f]{64})"/.exec(page))
  const path = `budgets/${budget.id}/sign`
  const sign = { name: 'Grace Hopper', consent: 'es', documentHash }
  expect((await post(path, sign)).status).toBe(401)
  expect((await post(path, { ...sign, documentHash: '0'.repeat(64) }, session())).status).toBe(409)
  const signed = await post(path, sign, session())
  expect([signed.status, await signed.text()]).toEqual([200, expect.stringContaining('está firmado')])
  const { items } = await owner.call(listSignatures, { params: { budgetId: budget.id } })
  expect(items).toMatchObject([
    { signerName: 'Grace Hopper', hashVersion: 2, documentHash, signingTokenId: null },
  ])
  const after = await (await get(`budgets/${budget.id}`, session())).text()
  expect(after).toContain('Firmado')
  expect(after).not.toContain('name="documentHash"')
  const again = await post(path, sign, session())
  expect([again.status, await again.text()]).toEqual([200, after])
})

test('a budget is declined on its page, and an expired one has no forms', async () => {
  const budget = await sentBudget(owner, customer.clientId)
  const other = await sentBudget(owner, customer.clientId, { issueDate: '2020-01-01' })
  expect(await (await get(`budgets/${budget.id}`, session())).text()).toContain('name="reason"')
  const declined = await post(`budgets/${budget.id}/decline`, { reason: ' Muy caro ' }, session())
  expect([declined.status, await declined.text()]).toEqual([200, expect.stringContaining('Has rechazado')])
  expect(await owner.call(readBudget, { params: { id: budget.id } })).toMatchObject({
    status: 'DECLINED',
    declineReason: 'Muy caro',
  })
  expect((await post(`budgets/${budget.id}/decline`, { reason: '' }, session())).status).toBe(409)
  await expect.poll(() => mailsTo(server, owner.email).join()).toContain('Motivo: Muy caro')
  await owner.call(updateBudget, { params: { id: other.id }, body: { validUntil: '2020-01-31' } })
  const list = await (await get('budgets', session())).text()
  for (const shown of ['Rechazado', 'Fuera de plazo', '1 de enero de 2020']) expect(list).toContain(shown)
  const page = await (await get(`budgets/${other.id}`, session())).text()
  expect(page).toContain('Se podía firmar hasta el 31 de enero de 2020')
  for (const field of ['name="documentHash"', 'name="reason"']) expect(page).not.toContain(field)
})

test('the PDF shows the current budget until it is signed, then the signed document', async () => {
  const budget = await makeBudget(owner, { clientId: customer.clientId })
  const link = await issueLink(owner, budget.id)
  const body = { notes: 'Escrito después' }
  await owner.call(updateBudget, { params: { id: budget.id }, body })
  const pdf = async () => {
    const answer = await get(`budgets/${budget.id}/pdf`, session())
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${budget.code}.pdf"`)
    return answer.bytes()
  }
  const { text } = await extractText(await getDocumentProxy(await pdf()), { mergePages: true })
  expect(text).toContain(body.notes)
  await signLink(server, link.token)
  expect(
    createHash('sha256')
      .update(await pdf())
      .digest('hex'),
  ).toBe(link.documentHash)
  const stranger = server.client((await openPortal(server, owner)).token)
  const unknown = await stranger.send(openPortalDocument, { params: { id: newId() } })
  expect(refusalOf(unknown)).toEqual([404, undefined])
  expect((await stranger.send(openPortalDocument, { params: { id: budget.id } })).text).toBe(unknown.text)
  expect((await get(`budgets/${budget.id}/pdf`)).status).toBe(401)
})

test('the greeting is on the first pages, in the language of the visitor or else in the other one, as text', async () => {
  const set = (portalGreeting: { es: string | null; en: string | null }) =>
    owner.call(updateCrmSettings, { body: { phoneCountry: 'ES', portalGreeting } })
  const pageOf = async (path: string, language: string, cookie?: string) => {
    const headers = { ...html, 'accept-language': language, ...(cookie && { cookie }) }
    return (await fetch(`${server.url}/portal/${path}`, { headers })).text()
  }
  const signIn = `sign-in/${organization.id}`
  const cookie = `patio_portal=${customer.token}`
  await set({ es: 'Hola <b>a todos</b>\nPasad\n\nAbrimos a las 9', en: null })
  const shown =
    '<p lang="es">Hola &#60;b&#62;a todos&#60;/b&#62;<br>Pasad</p><p lang="es">Abrimos a las 9</p>'
  expect(await pageOf(signIn, 'es')).toContain(shown)
  expect(await pageOf(signIn, 'en')).toContain(shown)
  expect(await pageOf('budgets', 'es', cookie)).toContain(shown)
  await set({ es: 'Hola', en: 'Welcome' })
  expect(await pageOf('budgets', 'en', cookie)).toContain('<p lang="en">Welcome</p>')
  expect(await pageOf('budgets', 'en', cookie)).not.toContain('Hola')
  await set({ es: null, en: null })
  expect(await pageOf(signIn, 'en')).not.toContain('<p lang')
})
