import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listConsentTexts, readConsentText, writeConsentText } from '#contract/billing/consent.ts'
import { limits } from '#contract/limits.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

async function stage() {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const app = await makeApplication(server, organization, { scopes: ['crm:invoices:read'], principal: owner })
  const read = (locale?: string) => app.client.call(readConsentText, { query: { ...(locale && { locale }) } })
  const write = (locale: string, text: string) => owner.call(writeConsentText, { body: { locale, text } })
  return { organization, owner, app, read, write }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('is built in for Spanish and English, with the required content', async () => {
  const { read } = await stage()
  const [es, en] = [await read(), await read('en')]
  expect(es).toMatchObject({ locale: 'es', version: 1, createdAt: null, sha256: sha256(es.text) })
  for (const word of [/Autorizo/, /Cuándo/, /Cuánto/, /Cómo cancelarla/]) expect(es.text).toMatch(word)
  expect(en).toMatchObject({ locale: 'en', version: 1 })
  for (const word of [/I allow/, /When/, /How much/, /How to cancel/]) expect(en.text).toMatch(word)
})

test('falls back to the language of the locale, then to Spanish', async () => {
  const { read, write } = await stage()
  expect((await read('en-GB')).locale).toBe('en')
  expect((await read('fr')).locale).toBe('es')
  await write('en-GB', 'I allow it, rather')
  expect(await read('en-GB')).toMatchObject({ locale: 'en-GB', version: 1, text: 'I allow it, rather' })
  expect((await read('en')).text).toMatch(/^I allow whoever/)
})

test('has versions that never change; the built-in text is the first', async () => {
  const { owner, organization, read, write } = await stage()
  const builtIn = await read('es')
  const second = await write('es', 'Segundo')
  expect(second).toMatchObject({ locale: 'es', version: 2, text: 'Segundo', sha256: sha256('Segundo') })
  const third = await write('es', 'Tercero')
  const german = await write('de', 'Ich erlaube')
  expect(german.version).toBe(1)
  expect(await read('es')).toEqual(third)
  const { items, total } = await owner.call(listConsentTexts, { query: {} })
  expect(total).toBe(4)
  expect(items).toMatchObject([third, second, { ...builtIn, createdAt: expect.any(String) }, german])
  expect((await owner.call(listConsentTexts, { query: { limit: 1, offset: 1 } })).items).toEqual([second])
  for (const change of [`update consent_text set text = 'Otro'`, 'delete from consent_text'])
    await expect(server.sql(`${change} where organization_id = $1`, [organization.id])).rejects.toThrow()
})

test('gets consecutive versions from simultaneous writes', async () => {
  const { write } = await stage()
  const written = await Promise.all(Array.from({ length: 6 }, (_, n) => write('en', `Text ${n}`)))
  expect(written.map(({ version }) => version).sort()).toEqual([2, 3, 4, 5, 6, 7])
})

test('is written with ORG_MANAGE and read with BILLING_VIEW', async () => {
  const { organization, owner, write } = await stage()
  await write('es', 'Nuestro')
  const viewer = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
  const body = { locale: 'es', text: 'Mío' }
  expect(refusalOf(await viewer.send(writeConsentText, { body }))).toEqual([403, 'PERMISSION_DENIED'])
  expect((await viewer.call(listConsentTexts, { query: {} })).items).toHaveLength(2)
  for (const wrong of [
    { ...body, text: '' },
    { ...body, text: 'x'.repeat(limits.consentText + 1) },
    { ...body, locale: 'ES' },
    { ...body, locale: 'español' },
  ])
    expect(refusalOf(await owner.send(writeConsentText, { body: wrong }))).toEqual([400, 'VALIDATION_ERROR'])
  const other = await (await server.organization()).person({ role: 'OWNER' })
  expect((await other.call(listConsentTexts, { query: {} })).items).toEqual([])
})
