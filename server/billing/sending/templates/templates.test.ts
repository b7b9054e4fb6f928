import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as promised from '#contract/billing/templates.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { plantTemplates } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { fillTemplate, type TemplateValues } from './mail-template.rules.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const formal = {
  name: 'Formal',
  subject: 'Factura {{number}}',
  body: 'Son {{ total }}, hasta el {{dueDate}}.',
}
const create = (body: object = {}) =>
  owner.send(promised.createInvoiceTemplate, { body: { ...formal, ...body } })
const made = async (body: object = {}) => (await create(body)).body
const change = (templateId: string, body: object) =>
  owner.send(promised.updateInvoiceTemplate, { params: { templateId }, body })
const list = async () => (await owner.call(promised.listInvoiceTemplates)).items

describe('templates', () => {
  test('are created, read, changed and deleted', async () => {
    const { status, body: template } = await create()
    expect([status, template]).toEqual([201, expect.objectContaining({ ...formal, isDefault: false })])
    const params = { templateId: template.id }
    expect(await owner.call(promised.readInvoiceTemplate, { params })).toEqual(template)
    const { body: changed } = await change(template.id, { subject: ' Su factura ' })
    expect(changed).toMatchObject({ ...formal, subject: 'Su factura' })
    expect((await change(template.id, { subject: 'Su factura' })).body).toEqual(changed)
    expect(refusalOf(await change(template.id, {}))).toEqual([422, 'VALIDATION_ERROR'])
    await made({ name: 'Amable' })
    expect((await list()).map(({ name }) => name)).toEqual(['Amable', 'Formal'])
    expect((await owner.send(promised.removeInvoiceTemplate, { params })).status).toBe(204)
    expect((await list()).map(({ name }) => name)).toEqual(['Amable'])
    await server.relayed()
    const audits = await server.sql('select changed from audit where subject = $1 order by seq', [
      template.id,
    ])
    expect(audits.map(({ changed }) => changed)).toEqual([['name', 'subject', 'body'], ['subject'], [], []])
  })

  test('have at most one default, also after simultaneous changes', async () => {
    const first = await made({ isDefault: true })
    const second = await made({ name: 'Second', isDefault: true })
    const defaults = async () => (await list()).filter(({ isDefault }) => isDefault).map(({ id }) => id)
    expect(await defaults()).toEqual([second.id])
    const answers = await Promise.all([first, second, first].map(({ id }) => change(id, { isDefault: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await defaults()).toHaveLength(1)
    const [{ id }] = (await defaults()).map(id => ({ id })) as [{ id: string }]
    await change(id, { isDefault: false })
    expect(await defaults()).toEqual([])
  })

  test.each([
    ['subject', 'Factura {{numero}}'],
    ['subject', 'Factura {{number}'],
    ['body', 'Hola {{clientName}}, {{constructor}}'],
    ['body', '{{}}'],
    ['body', '}}'],
    ['body', '{{number.length}}'],
    ['body', '{{{{number}}}}'],
  ])('accept only known variables in their %s: not %s', async (path, text) => {
    const { id } = await made()
    for (const answer of [await create({ [path]: text }), await change(id, { [path]: text })])
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path, code: 'variable' }] } })
    expect((await list()).map(({ subject, body }) => ({ subject, body }))).toEqual([
      { subject: formal.subject, body: formal.body },
    ])
  })

  test.each([
    ['name', 'x'.repeat(limits.templateName + 1)],
    ['name', ' '],
    ['subject', 'x'.repeat(limits.templateSubject + 1)],
    ['subject', 'Two\r\nBcc: eve@example.test'],
    ['body', 'x'.repeat(limits.templateBody + 1)],
    ['body', ''],
  ])('cannot have as their %s %j', async (path, value) => {
    expect(await create({ [path]: value })).toMatchObject({ status: 400, body: { details: [{ path }] } })
  })

  test('are limited in number', async () => {
    await plantTemplates(server, organization.id, limits.templatesPerOrganization - 1)
    const answers = await Promise.all([create(), create()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(refusalOf(await create())).toEqual([409, 'TOO_MANY_TEMPLATES'])
  })

  test('belong to one organization, and need BILLING_VIEW', async () => {
    const { id: templateId } = await made()
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    for (const [promise, body] of [
      [promised.readInvoiceTemplate, undefined],
      [promised.updateInvoiceTemplate, { name: 'Theirs' }],
      [promised.removeInvoiceTemplate, undefined],
    ] as const) {
      const ask = (id: string) =>
        stranger.send(promise as typeof promised.updateInvoiceTemplate, {
          params: { templateId: id },
          ...(body && { body }),
        })
      const [theirs, unknown] = [await ask(templateId), await ask(newId())]
      expect(refusalOf(theirs)).toEqual([404, 'TEMPLATE_NOT_FOUND'])
      expect(theirs.body).toEqual(unknown.body)
    }
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    expect((await viewer.send(promised.listInvoiceTemplates)).status).toBe(200)
    const refused = await viewer.send(promised.createInvoiceTemplate, { body: formal })
    expect(refusalOf(refused)).toEqual([403, 'PERMISSION_DENIED'])
    const nobody = await organization.person({ permissions: [] })
    expect(refusalOf(await nobody.send(promised.listInvoiceTemplates))).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('a preview', () => {
  const preview = (body: object, by: Person = owner) =>
    by.send(promised.previewInvoiceTemplate, {
      body: { subject: 'Factura {{number}}', body: 'Hola <b>{{clientName}}</b>', ...body },
    })
  test('shows an example, or an invoice of the organization', async () => {
    const { status, body } = await preview({})
    expect([status, body.subject]).toEqual([200, 'Factura EJEMPLO-000001'])
    expect(body.text).toMatch(/^Hola <b>Cliente de ejemplo<\/b>\n\n[\s\S]*Total: 1\.210,00\s€/)
    expect(body.html).toContain('Hola &#60;b&#62;Cliente de ejemplo')
    const shop = await makeApplication(server, organization)
    const { id: invoiceId, number } = await plantInvoice(server, shop)
    expect((await preview({ invoiceId })).body).toMatchObject({
      subject: `Factura ${number}`,
      text: expect.stringContaining('Hola <b>Client</b>'),
    })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const [theirs, unknown] = [await preview({ invoiceId }, stranger), await preview({ invoiceId: newId() })]
    expect(refusalOf(theirs)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
    expect(theirs.body).toEqual(unknown.body)
    expect(await preview({ body: '{{no}}' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body' }] },
    })
    expect(refusalOf(await preview({}, await organization.person()))).toEqual([403, 'PERMISSION_DENIED'])
  })
})

test('a value is inserted literally', () => {
  const values: TemplateValues = {
    number: '{{total}}',
    issueDate: '',
    dueDate: '$&',
    total: '9',
    due: '',
    clientName: '',
    issuerName: '',
  }
  expect(fillTemplate('{{number}} {{ dueDate }}{{due}}.', values)).toBe('{{total}} $&.')
})
