import jsqrModule from 'jsqr'
import { extractImages, extractText, getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInvoice, issueInvoice, rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { readBillingSettings, updateBillingSettings } from '#contract/billing/settings.ts'
import { updateClient } from '#contract/crm/clients.ts'
import { updateLetterhead } from '#contract/crm/letterhead.ts'
import { newId } from '#platform/ids.ts'
import { line, makeInvoice, plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { defined, exactly, firstOf } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

// what it exports is called itself, whatever its types say
const jsqr = jsqrModule as unknown as typeof jsqrModule.default

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
})
afterAll(() => server?.close())

/** The file that the API returns. */
async function printed(id: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const answer = await fetch(`${server.url}/api/billing/invoices/${id}/pdf`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  expect(answer.status).toBe(200)
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const opened = (bytes: Buffer) => getDocumentProxy(new Uint8Array(bytes))
async function textOf(id: string): Promise<string> {
  const { text } = await extractText(await opened((await printed(id)).bytes))
  return text.join('\n').replace(/\s+/g, ' ')
}

/** The content of the QR code on the first page, and its width. */
async function qrOf(id: string) {
  const document = await opened((await printed(id)).bytes)
  const [image] = await extractImages(document, 1)
  if (!image) return undefined
  const { data, width, height, channels } = image
  const colors = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++)
    for (let color = 0; color < 3; color++)
      colors[4 * at + color] = defined(data[at * channels + (channels < 3 ? 0 : color)])
  const page = await document.getPage(1)
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const drawn = fnArray.indexOf(OPS.paintImageXObject)
  const points = firstOf((argsArray[fnArray.lastIndexOf(OPS.transform, drawn)] as number[]).flat())
  const found = defined(jsqr(colors, width, height))
  const symbol = found.location.topRightCorner.x - found.location.topLeftCorner.x
  return { text: found.data, symbolMm: (((points * 25.4) / 72) * symbol) / width }
}

test('an invoice contains what RD 1619/2012 requires', async () => {
  const client = await makeClient(owner, { name: 'Ánimas & Sons', ...whereabouts, email: 'a@animas.test' })
  const { id } = await owner.call(createInvoice, {
    body: {
      clientId: client.id,
      notes: 'Gracias.',
      internalNotes: 'Nobody reads this',
      dueDate: '2026-04-01',
      lines: [
        {
          description: 'Diseño',
          quantity: '1234.5',
          unitPriceCents: 6_000,
          discountPercent: '12.5',
          taxes: [...line.taxes, { name: 'IRPF', rate: '-15' }],
        },
        { description: 'Libro', unitPriceCents: 2_000, taxes: [{ name: 'IVA', rate: '4' }] },
      ],
    },
  })
  const draft = await textOf(id)
  expect(draft).toContain('Borrador, sin validez como factura.')
  expect(draft).not.toContain('Fecha de expedición')
  await owner.call(issueInvoice, { params: { id }, body: { issueDate: '2026-03-02' } })
  const text = await textOf(id)
  for (const part of [
    'Factura F2026-000001',
    'Fecha de expedición 2 de marzo de 2026 Vencimiento 1 de abril de 2026',
    'Emisor',
    'Talleres Patio SL',
    'NIF: B76543214',
    'Calle Sol 3',
    '11003 Cádiz',
    'Cliente',
    'Ánimas & Sons',
    'NIF: B12345674',
    'Calle Mayor 1',
    '48001 Bilbao España',
    'a@animas.test',
    'Diseño 1.234,5 60,00 € 12,5 % IVA 21 % 64.811,25 € IRPF -15 %',
    'Libro 1 20,00 € IVA 4 % 20,00 €',
    'Base imponible 64.831,25 €',
    'IVA 21 % de 64.811,25 € 13.610,36 €',
    'IVA 4 % de 20,00 € 0,80 € IRPF -15 % de 64.811,25 € -9.721,69 €',
    'Total 68.720,72 €',
    'Gracias.',
    'Página 1 de 1',
    'QR tributario:',
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/Nobody|VERI|verificable/)
})

describe('the tax QR', () => {
  test('links to the tax office, at the top of the first page, 30 to 40 mm wide', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => ({ ...line, description: `Line ${at}` }))
    const { id } = await makeInvoice(owner, { lines, draft: true })
    await owner.call(issueInvoice, { params: { id }, body: { issueDate: '2026-03-02' } })
    const qr = defined(await qrOf(id))
    expect(qr.text).toBe(
      'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu?nif=B76543214&numserie=F2026-000001&fecha=02-03-2026&importe=9680.00',
    )
    expect(qr.symbolMm).toBeGreaterThanOrEqual(30)
    expect(qr.symbolMm).toBeLessThanOrEqual(40)
    const { text } = await extractText(await opened((await printed(id)).bytes))
    expect(text.length).toBeGreaterThan(1)
    // below the title, beside the parties, above the lines
    expect(firstOf(text).replace(/\s+/g, ' ')).toMatch(
      /Factura F2026-000001 .* Cliente .* QR tributario: Concepto/,
    )
    expect(text.slice(1).join()).not.toContain('QR tributario')
  })

  test('uses the settings at the time of issue, and is omitted by setting or for a foreign issuer', async () => {
    const settings = await owner.call(readBillingSettings)
    const set = (taxQrUrl: string | null) =>
      owner.call(updateBillingSettings, { body: { ...settings, taxQrUrl } })
    await set('https://tax.example/qr')
    const { id } = await makeInvoice(owner)
    await set(null)
    expect(defined(await qrOf(id)).text).toMatch(/^https:\/\/tax\.example\/qr\?nif=/)
    expect(await qrOf((await makeInvoice(owner)).id)).toBeUndefined()
    const elsewhere = await server.organization()
    owner = await elsewhere.person({ role: 'OWNER' })
    await plantIssuer(server, elsewhere.id, 'FR')
    expect(await qrOf((await makeInvoice(owner)).id)).toBeUndefined()
  })
})

test('a rectifying invoice names the rectified one and the reason', async () => {
  const { id } = await makeInvoice(owner, { draft: true })
  await owner.call(issueInvoice, { params: { id }, body: { issueDate: '2026-03-02' } })
  const made = await owner.call(rectifyInvoice, { params: { id }, body: { reason: 'Precio equivocado' } })
  await owner.call(issueInvoice, { params: { id: made.id }, body: { issueDate: '2026-03-05' } })
  const text = await textOf(made.id)
  for (const part of [
    'Factura rectificativa R2026-000001',
    'Rectifica la factura F2026-000001 de 2 de marzo de 2026.',
    'Motivo: Precio equivocado',
    'Work -1 100,00 € IVA 21 % -100,00 €',
    'Total -121,00 €',
  ])
    expect(text).toContain(part)
  expect(defined(await qrOf(made.id)).text).toContain('importe=-121.00')
})

test('shows where to pay, with the letterhead at the time of issue', async () => {
  const letterhead = {
    accentColor: '#1f5f3a',
    accountHolder: null,
    iban: 'ES9121000418450200051332',
    bic: 'CAIXESBBXXX',
    footer: 'Registro Mercantil de Cádiz',
  }
  await owner.call(updateLetterhead, { body: letterhead })
  const { id } = await makeInvoice(owner, { draft: true })
  expect(await textOf(id)).toContain('IBAN ES91 2100 0418 4502 0005 1332')
  await owner.call(issueInvoice, { params: { id }, body: { issueDate: '2026-03-02' } })
  const { bytes } = await printed(id)
  expect(await textOf(id)).toMatch(
    new RegExp(
      'Total 121,00 € Pago por transferencia Vencimiento 1 de abril de 2026 Titular Talleres Patio SL ' +
        'IBAN ES91 2100 0418 4502 0005 1332 BIC CAIXESBBXXX Referencia F2026-000001 ' +
        'Registro Mercantil de Cádiz Factura F2026-000001',
    ),
  )
  await owner.call(updateLetterhead, { body: { ...letterhead, accentColor: null, footer: 'Otro' } })
  expect((await printed(id)).bytes.equals(bytes)).toBe(true)
  const made = await owner.call(rectifyInvoice, { params: { id }, body: { reason: 'Precio equivocado' } })
  const rectifying = await textOf(made.id)
  expect(rectifying).toContain('Otro')
  expect(rectifying).not.toContain('IBAN')
})

test('the bytes are the same until the content changes', async () => {
  const { id, clientId, number } = await makeInvoice(owner)
  const { headers, bytes } = await printed(id)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toBe(`inline; filename="${number}.pdf"`)
  expect(headers.get('cache-control')).toBe('private, no-store')
  await owner.call(registerPayment, { params: { id }, body: { method: 'CASH', amount: 1 } })
  await owner.call(updateClient, { params: { id: clientId }, body: { city: 'Vigo' } })
  await server.sql(`update crm_issuer set city = 'Vigo' where organization_id = $1`, [organization.id])
  expect((await printed(id)).bytes.equals(bytes)).toBe(true)
  const other = await makeInvoice(owner)
  await owner.call(voidInvoice, { params: { id: other.id }, body: {} })
  expect(await textOf(other.id)).toContain('Factura anulada.')
})

describe('on A4', () => {
  const longName = `Sociedad Anónima de ${'Distribuciones y Servicios Integrales '.repeat(4)}del Norte`

  test.each([
    { count: 1, currency: 'eur', total: '12.100,00 €' },
    { count: 30, currency: 'usd', total: '363.000,00 US$' },
    { count: 300, currency: 'jpy', total: '363.000.000 JPY' },
    { count: 30, currency: 'kwd', total: '36.300,000 KWD' },
  ])(
    '$count lines in $currency for a long name stay within the page, each once, with the total at the end',
    async ({ count, currency, total }) => {
      const client = await makeClient(owner, { ...whereabouts, name: longName })
      const lines = Array.from({ length: count }, (_, at) => ({
        ...line,
        unitPriceCents: 1_000_000,
        description: `Line ${at + 1}: ${'supplies '.repeat(1 + (at % 30))}`,
      }))
      const { id } = await makeInvoice(owner, { clientId: client.id, currency, lines })
      const document = await opened((await printed(id)).bytes)
      const pages = await Promise.all(
        Array.from({ length: document.numPages }, async (_, at) =>
          (await document.getPage(at + 1)).getTextContent(),
        ),
      )
      // A4 in points, within its margins
      for (const { items } of pages)
        for (const item of items)
          if ('str' in item && item.str.trim() !== '') {
            const [, , , , x, y] = exactly(6, item.transform as number[])
            expect(x, item.str).toBeGreaterThanOrEqual(28)
            expect(x + item.width, item.str).toBeLessThanOrEqual(595 - 28)
            expect(y, item.str).toBeGreaterThanOrEqual(28)
            expect(y + item.height, item.str).toBeLessThanOrEqual(842 - 28)
          }
      const { text } = await extractText(document)
      const texts = text.map(page => page.replace(/\s+/g, ' '))
      expect(texts[0]).toContain(longName)
      expect([...texts.join(' ').matchAll(/Line (\d+):/g)].map(([, number]) => Number(number))).toEqual(
        lines.map((_, at) => at + 1),
      )
      expect(texts.at(-1)).toContain(`Total ${total}`)
      expect(texts.map(page => page.match(/Página (\d+ de \d+)/)?.[1])).toEqual(
        texts.map((_, at) => `${at + 1} de ${texts.length}`),
      )
    },
  )
})

test('hostile texts are rendered', async () => {
  const description = `${'x'.repeat(500)} \u202e\u0007😀 𝔸 ${'ñ '.repeat(200)}`
  const { id } = await makeInvoice(owner, { lines: [{ ...line, description }], notes: '\n'.repeat(500) })
  expect((await printed(id)).bytes.subarray(0, 5).toString()).toBe('%PDF-')
})

test('an application reads its own', async () => {
  const shop = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  const { id, userId } = await plantInvoice(server, shop)
  const ask = (at: string, key: string, as = userId) =>
    fetch(`${server.url}/api/external/v1/invoices/${at}/pdf?userId=${as}`, { headers: { 'x-api-key': key } })
  const answer = await ask(id, shop.key)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const unknown = await (await ask(newId(), shop.key)).text()
  expect(await (await ask(id, shop.key, 'other')).text()).toBe(unknown)
  const other = await makeApplication(server, organization, { scopes: ['crm:invoices:read'] })
  expect(await (await ask(id, other.key)).text()).toBe(unknown)
})
