import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as promised from '#contract/billing/invoices.ts'
import { readBillingSettings, updateBillingSettings } from '#contract/billing/settings.ts'
import { updateClient } from '#contract/crm/clients.ts'
import type { AttemptState } from '#server/billing/charges/charge.row.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { line, makeInvoice, plantInvoice, plantIssuer, whereabouts } from '#tests/support/billing/invoices.ts'
import { plantCharge } from '#tests/support/billing/payments.ts'
import { blocked, countBlocked } from '#tests/support/blocked.ts'
import { auditedChanges, makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { defined, exactly, itemAt, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { dayAfter, insertRows } from '#tests/support/rows.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
let year: string
beforeAll(async () => {
  server = await startTestServer()
  year = only(
    await server.sql<{ year: string }>(`select extract(year from now() at time zone 'utc')::text as year`),
  ).year
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  await plantIssuer(server, organization.id)
})
afterAll(() => server?.close())

const draft = (given: object = {}) => makeInvoice(owner, { draft: true, ...given })
const issue = (id: string, body: object = {}) => owner.send(promised.issueInvoice, { params: { id }, body })
const end = (id: string) => owner.send(promised.voidInvoice, { params: { id }, body: {} })
const rectify = (id: string, body: object = {}) =>
  owner.send(promised.rectifyInvoice, { params: { id }, body: { reason: 'Wrong price', ...body } })
const read = (id: string) => owner.call(promised.readInvoice, { params: { id } })
const counters = () =>
  server.sql('select series, last from invoice_counter where organization_id = $1 order by series', [
    organization.id,
  ])

describe('an issued invoice', () => {
  test('gets the next number, its dates and the current parties', async () => {
    const client = await makeClient(owner, { name: 'Atelier Nord', ...whereabouts })
    const { id } = await draft({ clientId: client.id })
    const { body, status } = await issue(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      series: `F${year}`,
      number: `F${year}-000001`,
      status: 'ISSUED',
      dueCents: 12_100,
      issuer: {
        name: 'Talleres Patio SL',
        taxId: 'B76543214',
        address: 'Calle Sol 3',
        city: 'Cádiz',
        postalCode: '11003',
        country: 'ES',
        email: 'hola@patio.example',
      },
      recipient: { name: 'Atelier Nord', ...whereabouts, email: null },
    })
    const days = (Date.parse(defined(body.dueDate)) - Date.parse(defined(body.issueDate))) / 86_400_000
    expect(days).toBe(30)
    await owner.call(updateClient, { params: { id: client.id }, body: { city: 'Vigo' } })
    expect((await read(id)).recipient).toMatchObject({ city: 'Bilbao' })
    expect(refusalOf(await issue(id))).toEqual([409, 'INVOICE_NOT_DRAFT'])
    expect((await issue((await draft()).id)).body.number).toBe(`F${year}-000002`)
    expect((await auditedChanges(server, id)).at(-1)).toEqual(['number'])
  })

  test('gets consecutive numbers when fifty are issued simultaneously', async () => {
    const { id: clientId } = await makeClient(owner, whereabouts)
    const drafts: { id: string }[] = []
    for (let at = 0; at < 50; at++) drafts.push(await draft({ clientId }))
    const issued = await Promise.all(drafts.map(({ id }) => issue(id)))
    expect(issued.map(({ body }) => body.number).sort()).toEqual(
      Array.from({ length: 50 }, (_, at) => `F${year}-${String(at + 1).padStart(6, '0')}`),
    )
    expect(await counters()).toEqual([{ series: `F${year}`, last: 50 }])
  })

  test('takes no number when it cannot be issued', async () => {
    const empty = await draft({ lines: [] })
    const incomplete = await draft({ clientId: (await makeClient(owner, { country: 'ES' })).id })
    const late = await draft({ dueDate: '2020-01-01' })
    const [...answers] = await Promise.all(
      [empty, late, ...(await Promise.all([draft(), draft()])), incomplete].map(({ id }) => issue(id)),
    )
    expect(answers.map(answer => refusalOf(answer))).toEqual([
      [422, 'INVOICE_EMPTY'],
      [400, 'VALIDATION_ERROR'],
      [200, undefined],
      [200, undefined],
      [422, 'RECIPIENT_INCOMPLETE'],
    ])
    expect(itemAt(answers, 4).body).toMatchObject({
      details: [{ path: 'address' }, { path: 'city' }, { path: 'taxId' }],
    })
    expect(await counters()).toEqual([{ series: `F${year}`, last: 2 }])
    expect((await read(late.id)).status).toBe('DRAFT')
    await server.sql('delete from crm_issuer where organization_id = $1', [organization.id])
    expect(refusalOf(await issue((await draft()).id))).toEqual([409, 'ISSUER_REQUIRED'])
  })

  test('needs no tax id of a foreign client', async () => {
    const { taxId: _none, ...place } = whereabouts
    const { id: clientId } = await makeClient(owner, { ...place, country: 'FR' })
    expect((await issue((await draft({ clientId })).id)).status).toBe(200)
  })

  test('never has an earlier date than the previous number', async () => {
    const [a, b, c] = await Promise.all([draft(), draft(), draft()])
    expect((await issue(a.id, { issueDate: '2025-03-10' })).body).toMatchObject({
      number: 'F2025-000001',
      issueDate: '2025-03-10',
      dueDate: '2025-04-09',
    })
    expect(await issue(b.id, { issueDate: '2025-03-09' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'issueDate' }] },
    })
    expect((await issue(b.id, { issueDate: '2025-03-10' })).body.number).toBe('F2025-000002')
    expect((await issue(c.id, { issueDate: `${Number(year) + 1}-12-31` })).status).toBe(400)
    // the date of the series is ahead of today, as after a clock change
    await insertRows(server, 'invoice_counter', [
      {
        organization_id: organization.id,
        series: `F${year}`,
        prefix: 'F',
        last: 7,
        last_date: dayAfter(new Date(), 1),
      },
    ])
    const { body } = await issue(c.id)
    expect([body.number, Date.parse(defined(body.issueDate)) > Date.now()]).toEqual([`F${year}-000008`, true])
  })

  test('has the series and payment days of the settings', async () => {
    await owner.call(updateBillingSettings, {
      body: {
        invoiceSeries: 'FAC',
        rectifyingSeries: 'REC',
        paymentDays: 0,
        linkDays: 30,
        issuesRectifyingAtOnce: false,
        taxQrUrl: null,
      },
    })
    const { body } = await issue((await draft()).id)
    expect([body.number, body.dueDate]).toEqual([`FAC${year}-000001`, body.issueDate])
    const dated = await issue((await draft({ dueDate: `${Number(year) + 1}-01-01` })).id)
    expect(dated.body.dueDate).toBe(`${Number(year) + 1}-01-01`)
  })

  test('is PAID when its total is zero', async () => {
    const { body } = await issue((await draft({ lines: [{ ...line, unitPriceCents: 0 }] })).id)
    expect(body).toMatchObject({ status: 'PAID', totalCents: 0, dueCents: 0, isOverdue: false })
  })

  test('restarts its numbers each year, and accepts no earlier date', async () => {
    const numbers: unknown[] = []
    for (const issueDate of ['2025-12-31', '2026-01-01', '2025-12-31', '2026-01-01', '2025-12-30']) {
      const { status, body } = await issue((await draft()).id, { issueDate })
      numbers.push(status === 200 ? body.number : status)
    }
    expect(numbers).toEqual(['F2025-000001', 'F2026-000001', 'F2025-000002', 'F2026-000002', 400])
  })

  test('reserves its prefix for one kind from the first number on', async () => {
    const { id } = await draft()
    const holder = new pg.Client(server.config.databaseUrl)
    await holder.connect()
    try {
      await holder.query('begin; lock table invoice_counter in exclusive mode')
      const issued = issue(id)
      await blocked(server)
      const settings = await owner.call(readBillingSettings)
      let isAnswered = false
      const swapped = owner
        .send(updateBillingSettings, { body: { ...settings, invoiceSeries: 'R', rectifyingSeries: 'F' } })
        .finally(() => {
          isAnswered = true
        })
      while (!isAnswered && (await countBlocked(server)) !== 2);
      await holder.query('commit')
      expect((await issued).body.number).toBe(`F${year}-000001`)
      expect(await swapped).toMatchObject({ status: 400, body: { details: [{ path: 'rectifyingSeries' }] } })
    } finally {
      await holder.end()
    }
  })

  test('is issued once for each Idempotency-Key', async () => {
    const shop = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
    const planted = [1, 2].map(() => plantInvoice(server, shop, { lifecycle: 'DRAFT' }))
    const [a, b] = exactly(2, await Promise.all(planted))
    for (const { clientId } of [a, b])
      await owner.call(updateClient, { params: { id: clientId }, body: whereabouts })
    const ask = (id: string) =>
      shop.client.send(promised.issueInvoice, {
        params: { id },
        body: {},
        headers: { 'idempotency-key': 'same' },
      })
    const answers = [await ask(a.id), await ask(a.id)]
    expect(answers.map(({ body }) => body.number)).toEqual(Array(2).fill(`F${year}-000001`))
    // the same key for another invoice is another request
    expect(refusalOf(await ask(b.id))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await auditedChanges(server, a.id)).toEqual([['number']])
  })
})

describe('a void invoice', () => {
  test('keeps its number and revokes its links', async () => {
    const { id, number } = await makeInvoice(owner)
    await insertRows(server, 'invoice_link', [
      { organization_id: organization.id, invoice_id: id, token_digest: '\\x01' },
    ])
    expect((await end(id)).body).toMatchObject({ status: 'VOIDED', number, voidedAt: expect.any(String) })
    expect(
      await server.sql('select revoked_at is null as open from invoice_link where invoice_id = $1', [id]),
    ).toEqual([{ open: false }])
    expect(refusalOf(await end(id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect(refusalOf(await end((await draft()).id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect((await auditedChanges(server, id)).at(-1)).toEqual(['status'])
  })

  test('cannot have payments that were not refunded', async () => {
    const { id } = await makeInvoice(owner)
    await server.sql('update invoice set paid_cents = 100 where id = $1', [id])
    expect(refusalOf(await end(id))).toEqual([409, 'INVOICE_HAS_MONEY'])
    await server.sql('update invoice set refunded_cents = 100 where id = $1', [id])
    expect((await end(id)).status).toBe(200)
  })

  test('cannot be voided or issued while the gateway processes a payment', async () => {
    const { id } = await makeInvoice(owner)
    await attempt(id, 'PROCESSING')
    const refused = await end(id)
    expect(refusalOf(refused)).toEqual([409, 'INVOICE_PAYMENT_IN_PROGRESS'])
    expect(refused.body).toMatchObject({ retryAfterSeconds: 5 })
    const taken = (await rectify(id)).body as { id: string }
    expect(refusalOf(await issue(taken.id))).toEqual([409, 'INVOICE_PAYMENT_IN_PROGRESS'])
    await server.sql(`update charge_attempt set state = 'FAILED', ended_at = now()`)
    expect((await issue(taken.id)).status).toBe(200)
    // the rectifying invoice cannot be voided meanwhile, which would restore the debt
    await server.sql(`update charge_attempt set state = 'PROCESSING', ended_at = null`)
    expect(refusalOf(await end(taken.id))).toEqual([409, 'INVOICE_PAYMENT_IN_PROGRESS'])
  })

  test('cancels no waiting payment when the request is refused', async () => {
    const { id } = await makeInvoice(owner)
    await attempt(id, 'REQUIRES_ACTION')
    const lines = [{ ...line, quantity: '-2' }]
    const [tooMuch, dueBefore] = exactly(2, [
      (await rectify(id, { lines })).body,
      (await rectify(id)).body,
    ] as {
      id: string
    }[])
    expect(refusalOf(await issue(tooMuch.id))).toEqual([422, 'RECTIFIED_TOO_MUCH'])
    const params = { id: dueBefore.id }
    await owner.call(promised.updateInvoice, { params, body: { dueDate: '2020-01-01' } })
    expect(refusalOf(await issue(dueBefore.id))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await server.sql('select state from charge_attempt where invoice_id = $1', [id])).toEqual([
      { state: 'REQUIRES_ACTION' },
    ])
  })
})

async function attempt(invoiceId: string, state: AttemptState): Promise<void> {
  const accountId = await plantAccount(server, organization.id)
  await plantCharge(server, { organizationId: organization.id, invoiceId, accountId, state })
}

describe('a rectifying invoice', () => {
  test('takes off everything, has its own series, and is linked both ways', async () => {
    const invoice = await makeInvoice(owner, { lines: [line, { description: 'Book', unitPriceCents: 333 }] })
    const made = await rectify(invoice.id)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      status: 'DRAFT',
      isRectifying: true,
      rectifiesInvoiceId: invoice.id,
      number: null,
      rectifyingReason: 'Wrong price',
      totalCents: -invoice.totalCents,
      clientId: invoice.clientId,
    })
    expect((await read(invoice.id)).dueCents).toBe(invoice.totalCents)
    const { id } = made.body as { id: string }
    const issued = (await issue(id)).body
    expect(issued).toMatchObject({ number: `R${year}-000001`, status: 'PAID', dueCents: 0 })
    expect(await read(invoice.id)).toMatchObject({
      status: 'RECTIFIED',
      dueCents: 0,
      rectifiedCents: invoice.totalCents,
      paidCents: 0,
      isOverdue: false,
      rectifiedBy: [{ id, number: issued.number, status: 'PAID', totalCents: -invoice.totalCents }],
    })
    expect(refusalOf(await end(invoice.id))).toEqual([409, 'INVOICE_RECTIFIED'])
    expect(refusalOf(await rectify(id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect((await end(id)).body.status).toBe('VOIDED')
    expect(await read(invoice.id)).toMatchObject({ status: 'ISSUED', dueCents: invoice.totalCents })
    expect((await end(invoice.id)).status).toBe(200)
    expect(refusalOf(await rectify(invoice.id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect(refusalOf(await rectify((await draft()).id))).toEqual([409, 'INVOICE_STATE_INVALID'])
  })

  test('takes off a part, and never more than is left, also simultaneously', async () => {
    const { id } = await makeInvoice(owner)
    const part = { lines: [{ ...line, quantity: '-0.3' }] }
    const drafts = await Promise.all(Array.from({ length: 5 }, () => rectify(id, part)))
    const answers = await Promise.all(drafts.map(({ body }) => issue((body as { id: string }).id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422])
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(refusalOf(answer)).toEqual([422, 'RECTIFIED_TOO_MUCH'])
    expect(await read(id)).toMatchObject({ rectifiedCents: 3 * 3_630, dueCents: 12_100 - 3 * 3_630 })
    expect(await counters()).toEqual([
      { series: `F${year}`, last: 1 },
      { series: `R${year}`, last: 3 },
    ])
  })

  test('may add an amount or change none; it is due by itself, and blocks voiding the first', async () => {
    const { id } = await makeInvoice(owner)
    const more = (await rectify(id, { lines: [line] })).body as { id: string }
    expect((await issue(more.id)).body).toMatchObject({ status: 'ISSUED', dueCents: 12_100 })
    expect(await read(id)).toMatchObject({ rectifiedCents: 0, dueCents: 12_100 })
    expect(refusalOf(await end(id))).toEqual([409, 'INVOICE_RECTIFIED'])
    expect((await end(more.id)).status).toBe(200)
    const same = [line, { ...line, quantity: '-1' }]
    const other = (await rectify(id, { lines: same })).body as { id: string }
    expect((await issue(other.id)).body).toMatchObject({ status: 'PAID', totalCents: 0 })
    expect(refusalOf(await end(id))).toEqual([409, 'INVOICE_RECTIFIED'])
    expect(await read(id)).toMatchObject({ rectifiedCents: 0, dueCents: 12_100 })
  })

  test('is issued by members only', async () => {
    const shop = await makeApplication(server, organization, { scopes: ['crm:invoices:write'] })
    const { id, userId } = await plantInvoice(server, shop)
    const { id: draftId } = (await rectify(id)).body as { id: string }
    const reply = await shop.client.send(promised.issueInvoice, {
      params: { id: draftId },
      body: { userId },
    })
    expect(refusalOf(reply)).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect((await read(draftId)).status).toBe('DRAFT')
  })

  test('can be changed and deleted as a draft, even if the first invoice was voided', async () => {
    const invoice = await makeInvoice(owner)
    const { id } = (await rectify(invoice.id)).body as { id: string }
    const change = {
      params: { id },
      body: { rectifyingReason: 'Other reason', lines: [{ ...line, quantity: '-1' }] },
    }
    expect(await owner.call(promised.updateInvoice, change)).toMatchObject({
      rectifyingReason: 'Other reason',
      totalCents: -12_100,
    })
    await end(invoice.id)
    expect(refusalOf(await issue(id))).toEqual([409, 'INVOICE_STATE_INVALID'])
    expect((await owner.send(promised.removeInvoice, { params: { id } })).status).toBe(204)
    expect((await read(invoice.id)).rectifiedBy).toEqual([])
  })
})
