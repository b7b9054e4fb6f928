import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseExternalUser } from '#contract/billing/external-users.ts'
import { readInvoice } from '#contract/billing/invoices.ts'
import { listInvoiceLinks } from '#contract/billing/links.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { listInvoiceDeliveries, sendInvoice, sendInvoiceByHand } from '#contract/billing/sending.ts'
import { createInvoiceTemplate, testInvoiceTemplate } from '#contract/billing/templates.ts'
import { addBillingContact, updateBillingContact } from '#contract/crm/clients.ts'
import { archiveContact, createContact, updateContact } from '#contract/crm/contacts.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { makeInvoice, plantInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { convert, eraseLeadOf, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { earlier } from '#tests/support/earlier.ts'
import {
  captured,
  defined,
  findIn,
  firstOf,
  inTurn,
  itemAt,
  lastOf,
  makeAll,
  only,
} from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { plantUsed, setUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { endLostDeliveries } from './lost-deliveries.ts'

let smtp: SmtpServer
let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url })
})
beforeEach(async () => {
  smtp.taken.splice(0)
  Object.assign(smtp.script, { refuses: new Set(), dropsAtRecipients: false, afterData: 'takes' })
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, { scopes: ['crm:invoices:send'] })
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})

type Body = { userId?: string; to?: string[]; cc?: string[]; message?: string; templateId?: string }
const plant = (given: Parameters<typeof plantInvoice>[2] = {}) =>
  plantInvoice(server, shop, { userId: 'u-1', email: 'user@example.test', ...given })
const send = (id: string, body: Body = {}, headers: Record<string, string> = {}) =>
  shop.client.send(sendInvoice, { params: { id }, body: { userId: 'u-1', ...body }, headers })
const deliveries = async (id: string) => (await owner.call(listInvoiceDeliveries, { params: { id } })).items
const read = (id: string) => owner.call(readInvoice, { params: { id } })
const contact = (clientId: string, body: { email: string; isMain?: boolean }) =>
  owner.call(addBillingContact, { params: { id: clientId }, body: { name: 'Payer', ...body } })
const used = async () =>
  only(
    await server.sql<{ used: number }>(
      `select coalesce(sum(used), 0)::int as used from rate_window
       where bucket = 'invoice-sends' and caller like $1 and starts_at <= now()`,
      [`${organization.id}/%`],
    ),
  ).used
async function eventsOf(id: string) {
  await server.relayed()
  return server.sql<{ name: string; data: Record<string, unknown>; about: object }>(
    `select name, data, about from event where data ->> 'invoiceId' = $1 order by seq`,
    [id],
  )
}
/** The decoded parts of a message, by their content type. */
function partsOf(raw: string): Map<string, Buffer> {
  const parts = raw.split(/\r\n--[^\r\n]+(?:--)?\r\n/).slice(1)
  return new Map(
    parts.flatMap(part => {
      const at = part.indexOf('\r\n\r\n')
      const [head, body] = [part.slice(0, at), part.slice(at + 4)]
      const type = /^Content-Type: ([^;\r\n]+)/im.exec(head)?.[1]
      if (type === undefined) return []
      if (/base64/i.test(head)) return [[type, Buffer.from(body, 'base64')]]
      return [[type, unquoted(body)]]
    }),
  )
}
function unquoted(text: string): Buffer {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

describe('an invoice that is sent', () => {
  test('has the issuer’s name, whose final dot also ends the sentence', async () => {
    const { id } = await plant()
    await server.sql(`update invoice set issuer = issuer || '{"name": "Acme S.A.U."}' where id = $1`, [id])
    const body = { name: 'Dots', subject: 'De {{issuerName}}', body: 'De {{issuerName}}.', isDefault: false }
    const { id: templateId } = await owner.call(createInvoiceTemplate, { body })
    expect((await send(id, { templateId })).status).toBe(200)
    const { raw } = lastOf(smtp.taken)
    expect(raw).toMatch(/^From: "Acme S\.A\.U\." <\S+@\S+>\r$/m)
    expect(defined(partsOf(raw).get('text/plain')).toString()).toMatch(/^De Acme S\.A\.U\.\r?\n/)
  })

  test('has a button to pay what is due, or to open the invoice, and links of earlier mails keep working', async () => {
    const { id } = await plant()
    await send(id)
    await plantAccount(server, organization.id)
    await send(id)
    await server.sql('update invoice set paid_cents = total_cents where id = $1', [id])
    await send(id)
    const mails = smtp.taken.map(({ raw }) => defined(partsOf(raw).get('text/html')).toString())
    const buttons = mails.map(html => ({
      url: captured(/<a class="button" href="([^"]+)"/, html),
      label: captured(/<a class="button"[^>]*>([^<]+)</, html),
    }))
    expect(buttons.map(({ label }) => label.replace('\u00a0', ' '))).toEqual([
      'Ver la factura',
      'Pagar 121,00 €',
      'Ver la factura',
    ])
    expect(new Set(buttons.map(({ url }) => url)).size).toBe(3)
    // the same page is on the paper, where it can be paid
    const papers = await Promise.all(
      smtp.taken.map(async ({ raw }) => {
        const { text } = await extractText(
          await getDocumentProxy(new Uint8Array(defined(partsOf(raw).get('application/pdf')))),
        )
        return text.join('').replace(/\s+/g, '')
      }),
    )
    expect(buttons.map(({ url }, at) => itemAt(papers, at).includes(url))).toEqual([false, true, false])
    for (const { url } of buttons) {
      const page = await fetch(server.url + new URL(url).pathname, { headers: { accept: 'text/html' } })
      expect(page.status).toBe(200)
    }
    const { items } = await owner.call(listInvoiceLinks, { params: { id } })
    expect(items.map(({ kind, isCurrent }) => [kind, isCurrent])).toEqual(Array(3).fill(['MAIL', true]))
  })

  test('has its PDF attached, becomes SENT, and emits an event', async () => {
    const { id, number } = await plant()
    await server.sql(`update invoice set issuer = issuer || '{"email": "us@patio.example"}' where id = $1`, [
      id,
    ])
    const { status, body } = await send(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      sent: true,
      invoiceId: id,
      recipients: ['user@example.test'],
      sentAt: expect.any(String),
    })
    expect(await read(id)).toMatchObject({ status: 'SENT', sentAt: body.sentAt })
    const [{ to, raw }] = smtp.taken as [(typeof smtp.taken)[0]]
    expect(to).toEqual(['user@example.test'])
    expect(raw).toContain('Reply-To: us@patio.example\r\n')
    const parts = partsOf(raw)
    expect(defined(parts.get('application/pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(raw).toContain(`filename=${number}.pdf`)
    for (const type of ['text/plain', 'text/html']) {
      const text = defined(parts.get(type)).toString()
      expect(text).toContain(`Te enviamos adjunta la factura ${number}`)
      expect(text).toMatch(/121,00\s€/)
    }
    const delivery = only(await deliveries(id))
    expect(delivery).toMatchObject({
      state: 'SENT',
      recipients: ['user@example.test'],
      copies: [],
      refused: [],
      answer: null,
      applicationId: shop.id,
      createdBy: null,
      endedAt: body.sentAt,
    })
    expect(raw).toContain(`Message-ID: <${delivery.messageId}>\r\n`)
    expect(await eventsOf(id)).toEqual([
      {
        name: 'INVOICE_SENT',
        about: { applicationId: shop.id },
        data: {
          invoiceId: id,
          number,
          userId: 'u-1',
          status: 'SENT',
          currency: 'eur',
          totalCents: 12_100,
          paidCents: 0,
          dueCents: 12_100,
          sequence: 1,
          source: 'manual',
          recipients: ['user@example.test'],
          sentAt: body.sentAt,
        },
      },
    ])
    const audits = await server.sql('select changed, detail from audit where subject = $1 order by seq', [id])
    expect(audits).toEqual([
      { changed: ['deliveries'], detail: { deliveryId: delivery.id } },
      { changed: ['sentAt'], detail: { deliveryId: delivery.id } },
    ])
    expect(await used()).toBe(1)
  })

  test('stays PAID when it was', async () => {
    const { id } = await plant()
    await owner.call(registerPayment, { params: { id }, body: { method: 'CASH' } })
    expect((await send(id)).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'PAID', sentAt: expect.any(String) })
  })

  test.each(['DRAFT', 'VOIDED'] as const)('cannot be %s', async lifecycle => {
    const { id } = await plant({ lifecycle })
    expect(refusalOf(await send(id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect([await deliveries(id), await used(), smtp.taken]).toEqual([[], 0, []])
  })

  test('belongs to the application, for its user', async () => {
    const { id } = await plant()
    const unknown = await send(newId())
    expect(refusalOf(unknown)).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
    const other = await makeApplication(server, organization, { scopes: ['crm:invoices:send'] })
    const elsewhere = await makeApplication(server, await server.organization(), {
      scopes: ['crm:invoices:send'],
    })
    const input = { params: { id }, body: { userId: 'u-1' } }
    for (const answer of [
      await send(id, { userId: 'u-2' }),
      await other.client.send(sendInvoice, input),
      await elsewhere.client.send(sendInvoice, input),
    ])
      expect([answer.status, answer.body]).toEqual([404, unknown.body])
    const bare = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
    expect(refusalOf(await bare.client.send(sendInvoice, input))).toEqual([403, 'INSUFFICIENT_SCOPE'])
    const team = await server.organization({ plan: 'TEAM' })
    const small = await makeApplication(server, team, { scopes: [] })
    expect((await small.client.send(sendInvoice, input)).body).toMatchObject({ moduleKey: 'finance' })
    expect(smtp.taken).toEqual([])
  })

  test('can be sent by members, who have no quota', async () => {
    await plantIssuer(server, organization.id)
    const { id } = await makeInvoice(owner)
    const input = { params: { id } }
    expect(refusalOf(await owner.send(sendInvoiceByHand, input))).toEqual([422, 'INVOICE_EMAIL_NO_RECIPIENT'])
    await server.sql(
      `update invoice set recipient = recipient || '{"email": "was@example.test"}' where id = $1`,
      [id],
    )
    expect((await owner.call(sendInvoiceByHand, input)).recipients).toEqual(['was@example.test'])
    await contact((await read(id)).clientId, { email: 'payer@example.test' })
    expect((await owner.call(sendInvoiceByHand, input)).recipients).toEqual(['payer@example.test'])
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    expect(refusalOf(await viewer.send(sendInvoiceByHand, input))).toEqual([403, 'PERMISSION_DENIED'])
    expect((await viewer.call(listInvoiceDeliveries, input)).items).toMatchObject([
      { state: 'SENT', applicationId: null, createdBy: owner.id },
      { state: 'SENT', recipients: ['was@example.test'] },
    ])
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await stranger.send(listInvoiceDeliveries, input))).toEqual([
      404,
      'INVOICE_NOT_ACCESSIBLE',
    ])
    expect(await used()).toBe(0)
  })

  test.each([
    ['to', Array.from({ length: 11 }, (_, n) => `a${n}@example.test`)],
    ['cc', Array.from({ length: 11 }, (_, n) => `a${n}@example.test`)],
    ['to.0', ['nobody']],
    ['to.0', ['a@example.test\r\nBcc: eve@example.test']],
    ['message', 'x'.repeat(limits.invoiceMessage + 1)],
    ['userId', 'x'.repeat(limits.externalUserId + 1)],
  ])('cannot have the %s %j', async (path, value) => {
    const { id } = await plant()
    const answer = await send(id, { [firstOf(path.split('.'))]: value })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(path.split('.')[0])
    expect(smtp.taken).toEqual([])
  })
})

describe('the text of a mail', () => {
  test('is the message, followed by the data of the invoice', async () => {
    const { id, number } = await plant()
    const template = await owner.call(createInvoiceTemplate, {
      body: { name: 'Formal', subject: 'Su factura {{number}}', body: 'Estimado {{clientName}}' },
    })
    await send(id, { message: 'Hola {{number}} <b>$&</b>', templateId: template.id })
    const parts = partsOf(firstOf(smtp.taken).raw)
    const text = defined(parts.get('text/plain')).toString()
    expect(text).toMatch(/^Hola \{\{number\}\} <b>\$&<\/b>/)
    expect(text).toContain(`Factura: ${number}`)
    expect(text).not.toContain('Estimado')
    expect(defined(parts.get('text/html')).toString()).toContain('&#60;b&#62;$&#38;&#60;/b&#62;')
    expect(firstOf(smtp.taken).raw).toContain(`Subject: Su factura ${number}\r\n`)
    expect(refusalOf(await send(id, { templateId: newId() }))).toEqual([404, 'TEMPLATE_NOT_FOUND'])
  })

  test('has a subject of one line, whatever a name contains', async () => {
    const { id, number } = await plant()
    const name = JSON.stringify({ name: 'Eve\r\nBcc: eve@example.test' })
    await server.sql('update invoice set issuer = issuer || $2::jsonb where id = $1', [id, name])
    expect((await send(id)).status).toBe(200)
    const [{ to, raw }] = smtp.taken as [(typeof smtp.taken)[0]]
    expect(to).toEqual(['user@example.test'])
    expect(raw).toContain(`Subject: Factura ${number} de Eve Bcc: eve@example.test\r\n`)
  })
})

describe('a test mail of a template', () => {
  test('goes to the caller, with an example invoice', async () => {
    const template = await owner.call(createInvoiceTemplate, {
      body: { name: 'Formal', subject: 'Su factura {{number}}', body: 'Estimado {{clientName}}' },
    })
    const params = { templateId: template.id }
    const before = await server.sql('select * from invoice order by id')
    const { status, body } = await owner.send(testInvoiceTemplate, { params })
    expect([status, body]).toEqual([200, { sent: true, recipient: owner.email, sentAt: expect.any(String) }])
    expect(smtp.taken.map(({ to }) => to)).toEqual([[owner.email]])
    const { raw } = firstOf(smtp.taken)
    expect(raw).toContain('Subject: [Prueba] Su factura EJEMPLO-000001\r\n')
    const parts = partsOf(raw)
    expect(defined(parts.get('text/plain')).toString()).toMatch(
      /^Estimado Cliente de ejemplo[\s\S]*1\.210,00\s€/,
    )
    expect(defined(parts.get('application/pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await server.sql('select * from invoice order by id')).toEqual(before)
    smtp.script.afterData = 'refuses'
    expect(refusalOf(await owner.send(testInvoiceTemplate, { params }))).toEqual([
      502,
      'INVOICE_EMAIL_NOT_SENT',
    ])
    const unknown = await owner.send(testInvoiceTemplate, { params: { templateId: newId() } })
    expect(refusalOf(unknown)).toEqual([404, 'TEMPLATE_NOT_FOUND'])
    const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
    expect(refusalOf(await viewer.send(testInvoiceTemplate, { params }))).toEqual([403, 'PERMISSION_DENIED'])
    await setUsed(server, limits.templateTestsPerHour, { bucket: 'template-tests' })
    expect(refusalOf(await owner.send(testInvoiceTemplate, { params }))).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  })
})

describe('the recipients', () => {
  test('default to the main billing contact, then to the user', async () => {
    const { id, clientId } = await plant()
    const main = await contact(clientId, { email: 'main@example.test' })
    expect((await send(id)).body.recipients).toEqual(['main@example.test'])
    const params = { id: clientId, billingContactId: main.id }
    await owner.call(updateBillingContact, { params, body: { isActive: false } })
    expect((await send(id)).body.recipients).toEqual(['user@example.test'])
    await server.sql('update external_user set email = null where organization_id = $1', [organization.id])
    await server.sql(`update invoice set recipient = recipient || '{"email": "was@example.test"}'`)
    expect(refusalOf(await send(id))).toEqual([422, 'INVOICE_EMAIL_NO_RECIPIENT'])
    expect((await send(id, { to: ['was@example.test'] })).body.recipients).toEqual(['was@example.test'])
    expect(await used()).toBe(3)
  })

  test('are known addresses in any case, each once', async () => {
    const { id, clientId } = await plant()
    await contact(clientId, { email: 'Payer@Example.test' })
    const person = { clientId, firstName: 'Ada', email: 'ada@example.test', receivesInvoices: true }
    await owner.call(createContact, { body: person })
    // the same mailbox as the main one, in another spelling
    await owner.call(createContact, { body: { ...person, email: 'PAYER@example.test' } })
    const to = ['PAYER@example.TEST', 'payer@example.test', 'user@example.test']
    const { body } = await send(id, { to, cc: ['ADA@example.test', 'USER@example.test'] })
    expect(body.recipients).toEqual(['Payer@Example.test', 'user@example.test', 'ada@example.test'])
    expect((await send(id, { cc: ['payer@example.test'] })).body.recipients).toEqual(['Payer@Example.test'])
    const [head] = firstOf(smtp.taken).raw.split('\r\n\r\n')
    expect(head).toMatch(/^To: payer@example\.test, user@example\.test\r$/im)
    expect(head).toMatch(/^Cc: ada@example\.test\r$/im)
  })

  test('cannot be other addresses: nothing is sent, and no address is revealed', async () => {
    const { id, clientId } = await plant()
    const inactive = await contact(clientId, { email: 'left@example.test' })
    const params = { id: clientId, billingContactId: inactive.id }
    await owner.call(updateBillingContact, { params, body: { isActive: false } })
    const make = (email: string, given: object) =>
      owner.call(createContact, { body: { clientId, firstName: 'A', email, ...given } })
    await make('silent@example.test', {})
    const gone = await make('gone@example.test', { receivesInvoices: true })
    await owner.call(archiveContact, { params: { id: gone.id } })
    const other = await plant({ userId: 'u-9', email: 'other@example.test' })
    await contact(other.clientId, { email: 'theirs@example.test' })
    for (const address of ['left', 'silent', 'gone', 'theirs', 'other', 'eve']) {
      const request = [`${address}@example.test`]
      for (const body of [{ to: ['user@example.test', ...request] }, { cc: request }]) {
        const answer = await send(id, body)
        expect(refusalOf(answer)).toEqual([422, 'INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED'])
        expect(JSON.stringify(answer.body)).not.toContain('@')
      }
    }
    expect([await deliveries(id), await used(), smtp.taken]).toEqual([[], 0, []])
  })
})

describe('a mail server that', () => {
  async function notSent(id: string, state: string, answer: string | null) {
    expect(refusalOf(await send(id))).toEqual([502, 'INVOICE_EMAIL_NOT_SENT'])
    expect((await deliveries(id))[0]).toMatchObject({ state, answer, endedAt: expect.any(String) })
    expect(await read(id)).toMatchObject({ status: 'ISSUED', sentAt: null })
    // a mail that may have been sent counts
    expect([await used(), await eventsOf(id)]).toEqual([state === 'UNKNOWN' ? 1 : 0, []])
  }

  test('refuses all recipients', async () => {
    smtp.script.refuses = new Set(['user@example.test'])
    await notSent((await plant()).id, 'REFUSED', '550 No such mailbox')
  })

  test('refuses the message', async () => {
    smtp.script.afterData = 'refuses'
    await notSent((await plant()).id, 'REFUSED', '554 Looks like spam')
    expect(server.logged()).not.toContain('user@example.test')
  })

  test('is lost before it has the message', async () => {
    smtp.script.dropsAtRecipients = true
    await notSent((await plant()).id, 'REFUSED', null)
  })

  test('is lost after it got the message may have accepted it: a second mail has the same Message-ID', async () => {
    const { id } = await plant()
    smtp.script.afterData = 'drops'
    await notSent(id, 'UNKNOWN', null)
    smtp.script.afterData = 'takes'
    expect((await send(id, { message: 'Another one' })).status).toBe(200)
    expect((await send(id)).status).toBe(200)
    expect((await send(id)).status).toBe(200)
    const [again, retry, another, first] = (await deliveries(id)).map(({ messageId }) => messageId)
    expect(retry).toBe(first)
    expect(new Set([again, another, first]).size).toBe(3)
    expect(smtp.taken.map(({ raw }) => /^Message-ID: <(.+)>\r$/m.exec(raw)?.[1])).toEqual([
      first,
      another,
      retry,
      again,
    ])
  })

  test('refuses a repeated message: the third mail still has the same Message-ID', async () => {
    const { id } = await plant()
    for (const afterData of ['mumbles', 'refuses', 'takes'] as const) {
      smtp.script.afterData = afterData
      await send(id)
    }
    const sent = await deliveries(id)
    expect(sent.map(({ state }) => state)).toEqual(['SENT', 'REFUSED', 'UNKNOWN'])
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
  })

  test('stays silent is given up, and may have accepted the message', async () => {
    smtp.script.afterData = 'hangs'
    await notSent((await plant()).id, 'UNKNOWN', null)
  })

  test('refuses some recipients sends it to the others', async () => {
    const { id, clientId } = await plant()
    await contact(clientId, { email: 'main@example.test' })
    smtp.script.refuses = new Set(['main@example.test'])
    const { status, body } = await send(id, { cc: ['user@example.test'] })
    expect([status, body.recipients]).toEqual([200, ['user@example.test']])
    expect((await deliveries(id))[0]).toMatchObject({ state: 'SENT', refused: ['main@example.test'] })
    expect(firstOf(await eventsOf(id)).data).toMatchObject({ recipients: ['user@example.test'] })
  })
})

describe('simultaneously', () => {
  test('two requests are two mails', async () => {
    const { id } = await plant()
    const answers = await Promise.all([send(id), send(id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const states = (await deliveries(id)).map(({ state, messageId }) => [state, messageId] as const)
    expect(new Set(states.map(([, messageId]) => messageId)).size).toBe(2)
    expect([smtp.taken.length, await used()]).toEqual([2, 2])
    expect((await eventsOf(id)).map(({ data }) => data.sequence)).toEqual([1, 2])
  })

  test('two requests with one key are one mail and get one reply', async () => {
    const { id } = await plant()
    const key = { 'Idempotency-Key': 'k-1' }
    const [first, ...others] = await makeAll(5, () => send(id, {}, key))
    expect(first.status).toBe(200)
    for (const { body } of others) expect(body).toEqual(first.body)
    expect((await send(id, {}, key)).body).toEqual(first.body)
    expect([smtp.taken.length, await used(), (await eventsOf(id)).length]).toEqual([1, 1, 1])
    expect(refusalOf(await send(id, { message: 'x' }, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const other = await plant()
    expect(refusalOf(await send(other.id, {}, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    await server.sql(`update invoice set lifecycle = 'VOIDED' where id = $1`, [id])
    expect((await send(id, {}, key)).body).toEqual(first.body)
    await server.sql(
      `update invoice_delivery set created_at = ${earlier('created_at', "interval '25 hours'")}`,
    )
    expect((await send(other.id, {}, key)).status).toBe(200)
  })

  test('keys of members are their own', async () => {
    const { id } = await plant()
    const key = { 'Idempotency-Key': 'k-3' }
    const byHand = (by: Person, body: Body = {}) =>
      by.send(sendInvoiceByHand, { params: { id }, body, headers: key })
    const first = await byHand(owner)
    expect(first.status).toBe(200)
    expect((await byHand(owner)).body).toEqual(first.body)
    expect(refusalOf(await byHand(owner, { message: 'x' }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect([smtp.taken.length, (await deliveries(id)).length]).toEqual([1, 1])
    const other = await organization.person({ role: 'OWNER' })
    expect([(await byHand(other)).status, (await send(id, {}, key)).status]).toEqual([200, 200])
    expect(smtp.taken.length).toBe(3)
    await server.sql(
      `update invoice_delivery set state = 'SENDING', created_at = now() - interval '40 seconds'
       where created_by = $1`,
      [owner.id],
    )
    expect(refusalOf(await byHand(owner))).toEqual([409, 'INVOICE_EMAIL_IN_PROGRESS'])
  })

  test('a key is free again when nothing was sent', async () => {
    const { id } = await plant()
    const key = { 'Idempotency-Key': 'k-2' }
    smtp.script.afterData = 'refuses'
    expect((await send(id, {}, key)).status).toBe(502)
    smtp.script.afterData = 'takes'
    expect((await send(id, { message: 'Now' }, key)).status).toBe(200)
  })
})

describe('the hourly quota', () => {
  const take = (used: number) => {
    const caller = `${organization.id}/${shop.id}`
    return plantUsed(server, { bucket: 'invoice-sends', caller, used, windowSeconds: 3_600 })
  }

  test('allows exactly a hundred per application, over all processes', async () => {
    const other = await server.anotherApi()
    await take(limits.invoiceSendsPerHour - 4)
    const { id } = await plant()
    const input = { params: { id }, body: { userId: 'u-1' } }
    const clients = [shop.client, shop.at(other.url)]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => inTurn(clients, n).send(sendInvoice, input)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
    expect([smtp.taken.length, await used()]).toEqual([4, limits.invoiceSendsPerHour])
    const refused = findIn(answers, ({ status }) => status === 429)
    const { retryAfterSeconds } = refused.body as unknown as { retryAfterSeconds: number }
    expect(refusalOf(refused)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(refused.headers.get('retry-after')).toBe(String(retryAfterSeconds))
    const left = 3_600 - (Math.floor(Date.now() / 1000) % 3_600)
    expect(Math.abs(retryAfterSeconds - left)).toBeLessThan(15)
    // another application has its own quota
    const second = await makeApplication(server, organization, { scopes: ['crm:invoices:send'] })
    const own = await plantInvoice(server, second, { userId: 'u-2' })
    const answer = await second.client.send(sendInvoice, {
      params: { id: own.id },
      body: { userId: 'u-2' },
    })
    expect(answer.status).toBe(200)
  })

  test('is returned for a refused mail', async () => {
    await take(limits.invoiceSendsPerHour - 1)
    const { id } = await plant()
    smtp.script.afterData = 'refuses'
    expect((await send(id)).status).toBe(502)
    expect((await send(id, { to: ['eve@example.test'] })).status).toBe(422)
    smtp.script.afterData = 'takes'
    expect((await send(id)).status).toBe(200)
    expect((await send(id)).status).toBe(429)
  })
})

describe('an erased person', () => {
  const storedDeliveries = async (id: string) =>
    JSON.stringify(await server.sql('select * from invoice_delivery where invoice_id = $1 order by id', [id]))

  test('as a user of an application disappears from the deliveries of their invoices', async () => {
    const { id, clientId } = await plant({ email: 'User@Example.test' })
    await contact(clientId, { email: 'main@example.test', isMain: true })
    await send(id, { cc: ['user@example.test'] })
    smtp.script.refuses = new Set(['User@example.test', 'main@example.test'])
    expect((await send(id, { to: ['user@example.test'], cc: ['main@example.test'] })).status).toBe(502)
    const other = await plant({ userId: 'u-2', email: 'user@example.test' })
    smtp.script.refuses = new Set()
    await send(other.id, { userId: 'u-2' })
    const params = { applicationId: shop.id, userId: 'u-1' }
    const editor = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
    expect(refusalOf(await editor.send(eraseExternalUser, { params }))).toEqual([403, 'PERMISSION_DENIED'])
    const erased = await owner.call(eraseExternalUser, { params })
    expect(erased).toMatchObject({ userId: 'u-1', name: null, email: null, clientId })
    expect(await owner.call(eraseExternalUser, { params })).toEqual(erased)
    expect(await storedDeliveries(id)).not.toMatch(/user@example|No such mailbox/i)
    expect((await deliveries(id)).map(({ recipients, copies }) => [recipients, copies])).toEqual([
      [[], ['main@example.test']],
      [['main@example.test'], []],
    ])
    expect((await deliveries(other.id))[0]).toMatchObject({ recipients: ['user@example.test'] })
    expect((await send(id)).body.recipients).toEqual(['main@example.test'])
    const none = { params: { ...params, userId: 'u-9' } }
    expect(refusalOf(await owner.send(eraseExternalUser, none))).toEqual([404, 'EXTERNAL_USER_NOT_FOUND'])
    await server.relayed()
    const audits = await server.sql('select changed from audit where subject = $1 order by seq', [
      `${shop.id}/u-1`,
    ])
    expect(audits.map(({ changed }) => changed)).toEqual([['name', 'email'], []])
  })

  test('as a lead disappears from the deliveries of their client’s invoices, with the contact’s address too', async () => {
    const { id: leadId } = await makeLead(owner, { email: 'Ada@example.test', firstName: 'Ada' })
    const { contactId, clientId } = await convert(owner, leadId)
    const now = { email: 'ada.king@example.test', receivesInvoices: true }
    await owner.call(updateContact, { params: { id: contactId }, body: now })
    const { id } = await plant({ clientId })
    await send(id, { to: ['user@example.test'], cc: ['ADA.king@example.test'] })
    await contact(clientId, { email: 'ada@example.test' })
    await send(id, { to: ['ada@example.test'] })
    await eraseLeadOf(owner, leadId)
    expect(await storedDeliveries(id)).not.toMatch(/ada@|lovelace/i)
    expect((await deliveries(id)).map(({ recipients }) => recipients)).toEqual([[], ['user@example.test']])
  })
})

test('sixty actions a minute are counted for all actions of a key together', async () => {
  const { id } = await plant()
  await plantUsed(server, { bucket: 'invoice-actions', caller: shop.keyId, used: 60, windowSeconds: 60 })
  expect(refusalOf(await send(id))).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  expect([smtp.taken, await used()]).toEqual([[], 0])
})

test('a repetition of an interrupted request says when to try again', async () => {
  const { id } = await plant()
  const key = { 'Idempotency-Key': 'cut' }
  await send(id, {}, key)
  const ago = (seconds: number) =>
    server.sql(
      `update invoice_delivery set state = 'SENDING', created_at = now() - make_interval(secs => $2) where invoice_id = $1`,
      [id, seconds],
    )
  await ago(40)
  const answer = await send(id, {}, key)
  expect(refusalOf(answer)).toEqual([409, 'INVOICE_EMAIL_IN_PROGRESS'])
  const { retryAfterSeconds } = answer.body as unknown as { retryAfterSeconds: number }
  expect(retryAfterSeconds).toBeGreaterThan(limits.mailGivenSeconds - 45)
  expect(retryAfterSeconds).toBeLessThanOrEqual(limits.mailGivenSeconds - 40)
  expect(answer.headers.get('retry-after')).toBe(String(retryAfterSeconds))
  await ago(limits.mailGivenSeconds + 30)
  expect((await send(id, {}, key)).body).toMatchObject({ retryAfterSeconds: 1 })
  await server.sql(`update invoice_delivery set state = 'SENT' where invoice_id = $1`, [id])
  expect([smtp.taken.length, await used()]).toEqual([1, 1])
})

test('a lost delivery ends, once', async () => {
  const { id } = await plant()
  smtp.script.afterData = 'hangs'
  const answer = send(id)
  await smtp.came(1)
  expect(await endLostDeliveries(server.api.services.database)).toBe(0)
  await server.sql(
    `update invoice_delivery set created_at = ${earlier('created_at', 'make_interval(secs => $2)')} where invoice_id = $1`,
    [id, limits.mailGivenSeconds + 1],
  )
  const { database } = server.api.services
  await Promise.all([endLostDeliveries(database), endLostDeliveries(database)])
  expect((await deliveries(id))[0]).toMatchObject({ state: 'UNKNOWN' })
  expect([await used(), (await read(id)).status]).toEqual([1, 'ISSUED'])
  // it was accepted after all
  smtp.release()
  expect((await answer).status).toBe(200)
  expect((await deliveries(id))[0]).toMatchObject({ state: 'SENT' })
  expect([await used(), (await read(id)).status]).toEqual([1, 'SENT'])
})
