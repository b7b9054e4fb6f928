import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createInvoiceOfUser,
  issueInvoice,
  readInvoicePdf,
  rectifyInvoice,
  updateInvoice,
  voidInvoice,
} from '#contract/billing/invoices.ts'
import * as promised from '#contract/billing/tax-records.ts'
import { updateClient } from '#contract/crm/clients.ts'
import { line, makeInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import {
  find,
  findAll,
  readXml,
  shapeFaults,
  textOf,
  type XmlElement,
} from '#tests/support/billing/tax-record-shape.ts'
import { taxRecordOptions, turnOn } from '#tests/support/billing/tax-records.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { defined, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { filesIn } from '#tests/support/studio/zip.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const office = { url: 'https://tax.example/records', certificate: Buffer.alloc(0), passphrase: '' }

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  // without a worker, nothing is sent
  server = await startTestServer(
    { taxRecords: { producerName: 'Patio SL', producerNif: 'B76543214', office } },
    { hasWorker: false },
  )
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
})
afterAll(() => server?.close())

const status = () => owner.call(promised.readTaxRecordStatus)
const recordsOf = async (id: string) => (await owner.call(promised.listTaxRecords, { params: { id } })).items
const check = () => owner.call(promised.checkTaxRecords)
const end = (id: string) => owner.call(voidInvoice, { params: { id }, body: {} })
const issue = (id: string, body: object = {}) => owner.send(issueInvoice, { params: { id }, body })
const sql = (text: string) => server.sql(text, [organization.id])

/** The records of an invoice as the file that people download; its form is checked. */
async function fileOf(id: string): Promise<XmlElement> {
  const { status, bytes, headers } = await owner.send(promised.openTaxRecords, { params: { id } })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/xml'])
  const xml = Buffer.from(bytes).toString()
  const element = readXml(xml)
  expect(shapeFaults(element)).toEqual([])
  return element
}

describe('without tax records', () => {
  test('issuing and voiding write none', async () => {
    const { id } = await makeInvoice(owner)
    await end(id)
    expect(await recordsOf(id)).toEqual([])
    expect(await sql('select 1 from tax_record_chain where organization_id = $1')).toEqual([])
    const answer = await owner.send(promised.openTaxRecords, { params: { id } })
    expect(refusalOf(answer)).toEqual([404, 'TAX_RECORD_NOT_FOUND'])
  })

  test('an invoice that was issued before they were turned on is voided without a record', async () => {
    const { id } = await makeInvoice(owner)
    await turnOn(owner)
    await end(id)
    expect((await status()).recordCount).toBe(0)
  })
})

describe('the settings', () => {
  const put = (by: Person, given: object = {}) =>
    by.send(promised.updateTaxRecordOptions, { body: { ...taxRecordOptions, ...given } })

  test('are off at first, read with BILLING_VIEW and changed with ORG_MANAGE', async () => {
    const viewer = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
    expect(await viewer.call(promised.readTaxRecordStatus)).toMatchObject({
      mode: 'OFF',
      canKeep: true,
      canSend: true,
      sendsTo: 'tax.example',
      recordCount: 0,
      problems: [],
    })
    expect(refusalOf(await put(viewer))).toEqual([403, 'PERMISSION_DENIED'])
    expect(await turnOn(owner, { mode: 'SEND', untaxedForeign: 'N2' })).toEqual({
      ...taxRecordOptions,
      mode: 'SEND',
      untaxedForeign: 'N2',
    })
    expect(await status()).toMatchObject({ mode: 'SEND', untaxedForeign: 'N2' })
    expect((await put(owner, { mode: 'OFF' })).body).toMatchObject({ mode: 'OFF' })
    expect((await status()).mode).toBe('OFF')
  })

  test.each([
    ['an issuer in another country', `country = 'FR'`],
    ['a wrong NIF', `tax_id = 'B12345675'`],
  ])('cannot be turned on for %s', async (_name, change) => {
    await sql(`update crm_issuer set ${change} where organization_id = $1`)
    expect(refusalOf(await put(owner))).toEqual([409, 'SPANISH_ISSUER_REQUIRED'])
  })

  test('only stop sending once there is a record', async () => {
    await turnOn(owner, { mode: 'SEND' })
    await makeInvoice(owner)
    expect((await status()).nextSendAt).not.toBeNull()
    expect((await turnOn(owner, { mode: 'OFF' })).mode).toBe('KEEP')
    await makeInvoice(owner)
    expect(await status()).toMatchObject({ mode: 'KEEP', recordCount: 2, pendingCount: 2, nextSendAt: null })
    await turnOn(owner, { mode: 'SEND' })
    expect((await status()).nextSendAt).not.toBeNull()
  })
})

describe('an issued invoice', () => {
  beforeEach(() => turnOn(owner))

  test('is registered with the hash of the record before it', async () => {
    const [first, second] = [await makeInvoice(owner), await makeInvoice(owner)]
    const [one, two] = [only(await recordsOf(first.id)), only(await recordsOf(second.id))]
    expect([one.number, one.previousHash, two.number, two.previousHash]).toEqual([1, null, 2, one.hash])
    expect(one).toMatchObject({ kind: 'REGISTRATION', invoiceType: 'F1', state: 'PENDING' })
    expect(textOf(await fileOf(first.id), 'PrimerRegistro')).toBe('S')
    const file = await fileOf(second.id)
    const previous = defined(find(file, 'RegistroAnterior'))
    expect([textOf(previous, 'NumSerieFactura'), textOf(previous, 'Huella')]).toEqual([
      first.number,
      one.hash,
    ])
    const wanted = {
      IDEmisorFactura: 'B76543214',
      NumSerieFactura: second.number,
      FechaExpedicionFactura: defined(second.issueDate).split('-').reverse().join('-'),
      TipoFactura: 'F1',
      TipoImpositivo: '21',
      BaseImponibleOimporteNoSujeto: '100.00',
      CuotaTotal: '21.00',
      ImporteTotal: '121.00',
      NumeroInstalacion: 'localhost:4000',
    }
    expect(Object.fromEntries(Object.keys(wanted).map(name => [name, textOf(file, name)]))).toEqual(wanted)
    expect(textOf(defined(find(file, 'Destinatarios')), 'NIF')).toBe(whereabouts.taxId)
    expect(await check()).toEqual({ holds: true, checked: 2, brokenAt: null })
  })

  test('gets consecutive records when many are issued simultaneously', async () => {
    const drafts = await Promise.all(Array.from({ length: 20 }, () => makeInvoice(owner, { draft: true })))
    await Promise.all(drafts.map(({ id }) => issue(id)))
    expect(await check()).toEqual({ holds: true, checked: 20, brokenAt: null })
  })

  test('is recorded without its retention, in a form that escapes every text', async () => {
    const { id } = await makeInvoice(owner, {
      lines: [
        { ...line, description: 'A & B <"C">', taxes: [...line.taxes, { name: 'IRPF', rate: '-15' }] },
        { ...line, taxes: [{ name: 'IVA', rate: '10' }] },
      ],
    })
    const file = await fileOf(id)
    expect([textOf(file, 'CuotaTotal'), textOf(file, 'ImporteTotal')]).toEqual(['31.00', '231.00'])
    expect(textOf(file, 'DescripcionOperacion')).toBe('A & B <"C">; Work')
    expect(findAll(file, 'DetalleDesglose')).toHaveLength(2)
  })

  test('names a client in another country by another identifier, or not at all', async () => {
    await turnOn(owner, { untaxedForeign: 'N2' })
    const made = async (country: string, taxId: string | undefined) => {
      const { taxId: _none, ...place } = whereabouts
      const { id: clientId } = await makeClient(owner, { ...place, country, ...(taxId && { taxId }) })
      const { id } = await makeInvoice(owner, { clientId, lines: [{ ...line, taxes: [] }] })
      const file = await fileOf(id)
      return [
        'TipoFactura',
        'IDType',
        'ID',
        'FacturaSinIdentifDestinatarioArt61d',
        'CalificacionOperacion',
      ].map(name => textOf(file, name))
    }
    expect(await made('FR', 'FR 40303265045')).toEqual(['F1', '02', 'FR40303265045', undefined, 'N2'])
    expect(await made('US', '12-3456789')).toEqual(['F1', '04', '123456789', undefined, 'N2'])
    expect(await made('US', undefined)).toEqual(['F2', undefined, undefined, 'S', 'N2'])
  })

  test('is refused when it cannot be recorded, and takes no number', async () => {
    const odd = await makeInvoice(owner, {
      draft: true,
      currency: 'usd',
      lines: [line, { ...line, taxes: [{ name: 'VAT', rate: '20' }] }],
    })
    await owner.call(updateClient, { params: { id: odd.clientId }, body: { taxId: 'B12345675' } })
    const answer = await issue(odd.id)
    expect(refusalOf(answer)).toEqual([422, 'TAX_RECORD_NOT_POSSIBLE'])
    const { details } = answer.body as unknown as { details: { path: string }[] }
    expect(details.map(({ path }) => path)).toEqual(['currency', 'recipient.taxId', 'lines.1.taxes'])
    expect((await makeInvoice(owner)).number).toMatch(/-000001$/)
    expect(await check()).toMatchObject({ holds: true, checked: 1 })
    await owner.call(updateClient, { params: { id: odd.clientId }, body: { taxId: whereabouts.taxId } })
    await owner.call(updateInvoice, { params: { id: odd.id }, body: { currency: 'eur', lines: [line] } })
    expect((await issue(odd.id)).status).toBe(200)
  })

  test('is refused to an application, too, and no invoice is created', async () => {
    const { client } = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
    const user = { name: 'Ada', email: 'ada@lovelace.test', ...whereabouts }
    const body = { userId: 'u', user, lines: [line], currency: 'usd' }
    const answer = await client.send(createInvoiceOfUser, { body })
    expect(refusalOf(answer)).toEqual([422, 'TAX_RECORD_NOT_POSSIBLE'])
    expect(await sql('select 1 from invoice where organization_id = $1')).toEqual([])
  })

  test('cannot have the day of tomorrow', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const { id } = await makeInvoice(owner, { draft: true })
    expect(refusalOf(await issue(id, { issueDate: tomorrow }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('starts another chain after the NIF of the issuer has changed', async () => {
    await makeInvoice(owner)
    await sql(`update crm_issuer set tax_id = 'B12345674' where organization_id = $1`)
    const { id } = await makeInvoice(owner)
    expect((await recordsOf(id))[0]).toMatchObject({ number: 1, previousHash: null })
    expect(await check()).toEqual({ holds: true, checked: 2, brokenAt: null })
  })
})

test('a rectifying invoice names the rectified one and states differences', async () => {
  await turnOn(owner)
  const rectified = await makeInvoice(owner)
  const draft = await owner.call(rectifyInvoice, {
    params: { id: rectified.id },
    body: { reason: 'Wrong price' },
  })
  await issue(draft.id)
  const file = await fileOf(draft.id)
  const names = ['TipoFactura', 'TipoRectificativa', 'CuotaTotal', 'ImporteTotal', 'DescripcionOperacion']
  expect(names.map(name => textOf(file, name))).toEqual(['R1', 'I', '-21.00', '-121.00', 'Wrong price; Work'])
  expect(textOf(defined(find(file, 'FacturasRectificadas')), 'NumSerieFactura')).toBe(rectified.number)
})

test('a voided invoice is cancelled in the same chain', async () => {
  await turnOn(owner)
  const { id, number } = await makeInvoice(owner)
  await makeInvoice(owner)
  await end(id)
  const records = await recordsOf(id)
  expect(records.map(({ kind, number }) => [kind, number])).toEqual([
    ['REGISTRATION', 1],
    ['CANCELLATION', 3],
  ])
  const file = await fileOf(id)
  expect(findAll(file, 'RegistroFactura')).toHaveLength(2)
  expect(textOf(file, 'NumSerieFacturaAnulada')).toBe(number)
  expect(find(file, 'SinRegistroPrevio')).toBeUndefined()
  expect(await check()).toEqual({ holds: true, checked: 3, brokenAt: null })
})

test('the cancellation of a rejected registration says that there is none', async () => {
  await turnOn(owner)
  const { id } = await makeInvoice(owner)
  await sql(`update tax_record set state = 'REJECTED' where organization_id = $1`)
  await end(id)
  expect(textOf(await fileOf(id), 'SinRegistroPrevio')).toBe('S')
})

test.each([
  [
    'an altered amount',
    `update tax_record set content = jsonb_set(content, '{totalCents}', '1') where number = 2`,
    2,
  ],
  ['an altered hash', `update tax_record set hash = repeat('B', 64) where number = 2`, 2],
  ['a deleted record', 'delete from tax_record where number = 2', 2],
  ['a deleted end', 'delete from tax_record where number = 3', 3],
])('the check finds %s', async (_name, change, number) => {
  await turnOn(owner)
  for (let made = 0; made < 3; made++) await makeInvoice(owner)
  await sql(`${change} and organization_id = $1`)
  expect(await check()).toMatchObject({ holds: false, brokenAt: { issuerNif: 'B76543214', number } })
})

test('an export has the records of the days, in order', async () => {
  await turnOn(owner)
  const invoices = [await makeInvoice(owner), await makeInvoice(owner)]
  await sql(
    `update tax_record set created_at = '2026-03-31T22:00:00Z' where organization_id = $1 and number = 1`,
  )
  await sql(
    `update tax_record set created_at = '2026-04-30T22:00:00Z' where organization_id = $1 and number = 2`,
  )
  const exported = async (from: string, to: string) => {
    const { status, bytes } = await owner.send(promised.exportTaxRecords, { query: { from, to } })
    expect(status).toBe(200)
    const files = await filesIn(Buffer.from(bytes))
    return Object.values(files).flatMap(xml => {
      const element = readXml(xml.toString())
      expect(shapeFaults(element)).toEqual([])
      return findAll(element, 'IDFactura').map(reference => textOf(reference, 'NumSerieFactura'))
    })
  }
  const [first, second] = invoices.map(({ number }) => number)
  expect(await exported('2026-04-01', '2026-04-30')).toEqual([first])
  expect(await exported('2026-04-01', '2026-05-01')).toEqual([first, second])
  expect(await exported('2026-05-02', '2026-06-01')).toEqual([])
})

test('the phrase and the address of verifiable invoices are only on those that are sent', async () => {
  const printed = async (id: string) => {
    const { bytes } = await owner.send(readInvoicePdf, { params: { id }, query: {} })
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)))
    return text.join(' ').includes('VERI*FACTU')
  }
  const qrUrl = async (id: string) =>
    only(await server.sql<{ url: string }>('select tax_qr_url as url from invoice where id = $1', [id])).url
  const before = await makeInvoice(owner)
  await turnOn(owner)
  const unsent = await makeInvoice(owner)
  await turnOn(owner, { mode: 'SEND' })
  const sent = await makeInvoice(owner)
  expect(await Promise.all([before, unsent, sent].map(({ id }) => printed(id)))).toEqual([false, false, true])
  expect(await qrUrl(unsent.id)).toMatch(/\/ValidarQRNoVerifactu$/)
  expect(await qrUrl(sent.id)).toMatch(/\/ValidarQR$/)
})
