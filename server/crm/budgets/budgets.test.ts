import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/crm/budgets.ts'
import { archiveClient } from '#contract/crm/clients.ts'
import { archiveContact } from '#contract/crm/contacts.ts'
import { createOpportunity } from '#contract/crm/opportunities.ts'
import { importSignature, verifySignature } from '#contract/crm/signatures.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { auditedChanges, makeClient, makeContact, sendTo } from '#tests/support/crm/leads-and-clients.ts'
import { defined } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { setBudgetStatus } from './budget.sql.ts'

let server: TestServer
let organization: Organization
let owner: Person
let clientId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  clientId = (await makeClient(owner)).id
})
afterAll(() => server?.close())

type BudgetInput = Partial<Input<typeof contract.createBudget>['body']>
const today = () => new Date().toISOString().slice(0, 10)
const make = (input: BudgetInput = {}) => makeBudget(owner, { clientId, ...input })
const change = (id: string, body: Input<typeof contract.updateBudget>['body']) =>
  owner.call(contract.updateBudget, { params: { id }, body })
const refused = async (id: string, body: object) =>
  refusalOf(await owner.send(contract.updateBudget, { params: { id }, body }))
/** Sets the status that signing sets. */
const settle = (id: string, status: 'SENT' | 'SIGNED' | 'DECLINED', reason: string | null = null) =>
  server.api.services.database.transact(organization.id, tx => setBudgetStatus(tx, id, status, { reason }))
const item = { name: 'Work', unitPriceCents: 10_000 }
const withItems = (...items: object[]) => ({ sections: [{ items }] }) as BudgetInput

describe('a budget', () => {
  test('is created with computed amounts, read and updated', async () => {
    const contact = await makeContact(owner, { clientId })
    const opportunity = await owner.call(createOpportunity, { body: { title: 'Engines', clientId } })
    const input = {
      clientId,
      contactId: contact.id,
      opportunityId: opportunity.id,
      ownerId: owner.id,
      issueDate: '2026-11-02',
      validUntil: '2026-12-02',
      currency: 'usd',
      conditions: 'Pago a 30 días',
      notes: 'Gracias',
      internalNotes: 'Ask Jon',
    }
    const created = await make({
      ...input,
      title: ' Web ',
      sections: [
        {
          title: 'Fase 1',
          items: [
            {
              name: 'Diseño',
              description: 'De todo',
              quantity: '2.50',
              unit: 'h',
              unitPriceCents: 6_000,
              discount: { kind: 'PERCENT', value: '10.0' },
              taxes: [{ name: 'IVA', rate: '21.00' }],
            },
            { ...item, optional: true, selected: false, discount: { kind: 'AMOUNT', value: 100 } },
          ],
        },
      ],
      discounts: [{ name: 'Amigos', kind: 'AMOUNT', value: 500 }],
    })
    const content = {
      sections: [
        {
          title: 'Fase 1',
          description: null,
          items: [
            {
              name: 'Diseño',
              description: 'De todo',
              quantity: '2.5',
              unit: 'h',
              unitPriceCents: 6_000,
              optional: false,
              selected: true,
              discount: { kind: 'PERCENT', value: '10' },
              taxes: [{ name: 'IVA', rate: '21' }],
              subtotalCents: 13_500,
            },
            {
              name: 'Work',
              description: null,
              quantity: '1',
              unit: null,
              unitPriceCents: 10_000,
              optional: true,
              selected: false,
              discount: { kind: 'AMOUNT', value: 100 },
              taxes: [],
              subtotalCents: 9_900,
            },
          ],
        },
      ],
      discounts: [{ name: 'Amigos', kind: 'AMOUNT', value: 500, amountCents: 500 }],
      taxes: [{ name: 'IVA', rate: '21', baseCents: 13_000, amountCents: 2_730 }],
    }
    expect(created).toEqual({
      ...input,
      ...content,
      id: created.id,
      code: 'P-2026-0001',
      title: 'Web',
      status: 'DRAFT',
      isExpired: false,
      subtotalCents: 13_500,
      discountCents: 500,
      taxCents: 2_730,
      totalCents: 15_730,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
      sentAt: null,
      signedAt: null,
      declinedAt: null,
      declineReason: null,
    })
    const params = { id: created.id }
    expect(await owner.call(contract.readBudget, { params })).toEqual(created)
    const body = { title: 'Web 2', contactId: null, validUntil: null, notes: ' ', discounts: [] }
    const changed = await change(created.id, body)
    expect(changed).toEqual({
      ...created,
      ...body,
      notes: null,
      updatedAt: changed.updatedAt,
      discountCents: 0,
      taxes: [{ name: 'IVA', rate: '21', baseCents: 13_500, amountCents: 2_835 }],
      taxCents: 2_835,
      totalCents: 16_335,
    })
    expect(changed.updatedAt > created.updatedAt).toBe(true)
    // equal values change nothing
    expect(
      await change(created.id, { ...body, ...withItems(), sections: created.sections.map(asGiven) }),
    ).toEqual(changed)
    expect(await auditedChanges(server, created.id)).toEqual([
      [
        'title',
        'clientId',
        'contactId',
        'opportunityId',
        'ownerId',
        'issueDate',
        'validUntil',
        'currency',
        'conditions',
        'notes',
        'internalNotes',
        'sections',
        'discounts',
      ],
      ['title', 'contactId', 'validUntil', 'notes', 'discounts'],
      [],
    ])
    expect(await refused(created.id, {})).toEqual([422, 'VALIDATION_ERROR'])
    expect(await refused(created.id, { expectedUpdatedAt: created.updatedAt })).toEqual([
      422,
      'VALIDATION_ERROR',
    ])
  })

  test('defaults to today and the currency of the issuer', async () => {
    expect(await make()).toMatchObject({ issueDate: today(), currency: 'eur', validUntil: null })
    await setIssuer(owner, { currency: 'gbp' })
    expect(await make()).toMatchObject({ currency: 'gbp' })
    expect(await make({ currency: 'usd' })).toMatchObject({ currency: 'usd' })
  })

  test('can be empty', async () => {
    const created = await owner.call(contract.createBudget, { body: { title: 'Later', clientId } })
    expect(created).toMatchObject({ sections: [], discounts: [], taxes: [], totalCents: 0 })
  })

  test('stores texts in NFC with LF line endings', async () => {
    const text = ' Sen\u0303or\r\nUno\rDos '
    const stored = 'Señor\nUno\nDos'
    const created = await make({
      title: 'Sen\u0303or',
      sections: [
        {
          title: 'Sen\u0303or',
          description: text,
          items: [
            {
              ...item,
              name: 'Sen\u0303or',
              description: text,
              unit: 'n\u0303',
              taxes: [{ name: 'n\u0303', rate: '1' }],
            },
          ],
        },
      ],
      discounts: [{ name: 'n\u0303', kind: 'AMOUNT', value: 1 }],
      conditions: text,
      notes: text,
      internalNotes: text,
    })
    expect(created).toMatchObject({
      title: 'Señor',
      conditions: stored,
      notes: stored,
      internalNotes: stored,
      sections: [
        {
          title: 'Señor',
          description: stored,
          items: [{ name: 'Señor', description: stored, unit: 'ñ', taxes: [{ name: 'ñ', rate: '1' }] }],
        },
      ],
      discounts: [{ name: 'ñ' }],
      taxes: [{ name: 'ñ' }],
    })
  })

  test('from another system keeps its code, so that its imported signature verifies', async () => {
    const sections = [
      { items: [{ name: 'Diseño', unitPriceCents: 10_000, taxes: [{ name: 'IVA', rate: '21' }] }] },
    ]
    const old = await make({ code: ' P-2026-0001 ', sections, issueDate: '2026-01-02' })
    expect(old.code).toBe('P-2026-0001')
    const params = { budgetId: old.id }
    const signature = await owner.call(importSignature, {
      params,
      body: {
        signedAt: '2026-01-03T10:00:00.000Z',
        signerName: 'Ada',
        signerEmail: 'ada@lovelace.test',
        ipAddress: '203.0.113.7',
        userAgent: 'Old browser',
        // published with the canonical form
        documentHash: 'c6132b05698273ef7ff53970e3420edaa43bff81f6be09c2750853786ff88304',
      },
    })
    const result = await owner.call(verifySignature, { params: { ...params, sigId: signature.id } })
    expect(result).toMatchObject({ status: 'VALID', hashVersion: 1 })

    const again = { clientId, title: 'Web', code: 'P-2026-0001' }
    expect(refusalOf(await owner.send(contract.createBudget, { body: again }))).toEqual([
      409,
      'BUDGET_CODE_TAKEN',
    ])
    const own = await Promise.all([1, 2].map(() => make({ issueDate: '2026-12-31' })))
    expect(own.map(({ code }) => code).sort()).toEqual(['P-2026-0002', 'P-2026-0003'])
    const odd = await make({ code: 'Nº 7/19 "ñ"' })
    const pdf = await owner.send(contract.readBudgetPdf, { params: { id: odd.id } })
    expect(pdf.headers.get('content-disposition')).toBe('inline; filename="N-7-19-.pdf"')
  })

  test('gets consecutive codes per year, even for concurrent requests', async () => {
    const created = await Promise.all(Array.from({ length: 12 }, () => make({ issueDate: '2027-01-31' })))
    const codes = created.map(({ code }) => code).sort()
    expect(codes).toEqual(codes.map((_, n) => `P-2027-${String(n + 1).padStart(4, '0')}`))
    expect((await make({ issueDate: '2026-12-31' })).code).toBe('P-2026-0001')
    // a refused request consumes no number
    await owner.send(contract.createBudget, {
      body: { title: 'No', clientId: newId(), issueDate: '2027-01-01' },
    })
    expect((await make({ issueDate: '2027-06-01' })).code).toBe('P-2027-0013')
    // another organization has its own numbers, and numbers can exceed four digits
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect((await makeBudget(stranger, { issueDate: '2027-01-01' })).code).toBe('P-2027-0001')
    await server.sql('update budget_counter set last = 9999 where organization_id = $1', [organization.id])
    expect((await make({ issueDate: '2027-06-01' })).code).toBe('P-2027-10000')
  })

  test('is not updated if it has changed since expectedUpdatedAt', async () => {
    const created = await make()
    const { id, updatedAt: expectedUpdatedAt } = created
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        owner.send(contract.updateBudget, { params: { id }, body: { title: `Try ${n}`, expectedUpdatedAt } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    const [lost] = answers.filter(({ status }) => status === 409)
    const { updatedAt } = await owner.call(contract.readBudget, { params: { id } })
    expect(lost).toMatchObject({ body: { errorCode: 'BUDGET_UPDATE_CONFLICT', updatedAt } })
    expect(await change(id, { title: 'Again', expectedUpdatedAt: updatedAt })).toMatchObject({
      title: 'Again',
    })
  })

  test.each<[string, object]>([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(limits.budgetTitle + 1) }],
    ['currency', { currency: 'EUR' }],
    ['issueDate', { issueDate: '2026-02-30' }],
    ['validUntil', { issueDate: '2026-02-02', validUntil: '2026-02-01' }],
    ['conditions', { conditions: 'x'.repeat(limits.budgetConditions + 1) }],
    ['notes', { notes: 'x'.repeat(limits.budgetConditions + 1) }],
    ['internalNotes', { internalNotes: 'x'.repeat(limits.budgetConditions + 1) }],
    ['sections', { sections: Array(limits.budgetSections + 1).fill({ items: [] }) }],
    ['sections', { sections: Array(2).fill({ items: Array(limits.budgetItems / 2 + 1).fill(item) }) }],
    ['sections.0.title', { sections: [{ title: 'x'.repeat(limits.budgetTitle + 1), items: [] }] }],
    ['sections.0.description', { sections: [{ description: 'x'.repeat(limits.budgetText + 1), items: [] }] }],
    ['sections.0.items.0.name', withItems({ ...item, name: '' })],
    [
      'sections.0.items.0.description',
      withItems({ ...item, description: 'x'.repeat(limits.budgetText + 1) }),
    ],
    ['sections.0.items.0.unit', withItems({ ...item, unit: 'x'.repeat(limits.budgetUnit + 1) })],
    ...['-1', '1e3', '1,5', '1.00001', '1234567890', '', '.5', '5.'].map((quantity): [string, object] => [
      'sections.0.items.0.quantity',
      withItems({ ...item, quantity }),
    ]),
    ['sections.0.items.0.quantity', withItems({ ...item, quantity: 1 })],
    ['sections.0.items.0.unitPriceCents', withItems({ ...item, unitPriceCents: -1 })],
    ['sections.0.items.0.unitPriceCents', withItems({ ...item, unitPriceCents: 1.5 })],
    ['sections.0.items.0.unitPriceCents', withItems({ ...item, unitPriceCents: limits.budgetCents + 1 })],
    ['sections.0.items.0', withItems({ ...item, quantity: '2', unitPriceCents: limits.budgetCents })],
    ['sections', withItems({ ...item, unitPriceCents: limits.budgetCents }, item)],
    ...['100.0001', '-100.0001'].map((rate): [string, object] => [
      'sections.0.items.0.taxes.0.rate',
      withItems({ ...item, taxes: [{ name: 'IVA', rate }] }),
    ]),
    ['sections.0.items.0.taxes.0.rate', withItems({ ...item, taxes: [{ name: 'IVA', rate: '1.00001' }] })],
    ['sections.0.items.0.taxes.0.name', withItems({ ...item, taxes: [{ name: 'x'.repeat(51), rate: '1' }] })],
    [
      'sections.0.items.0.taxes',
      withItems({ ...item, taxes: ['21', '21.0'].map(rate => ({ name: 'IVA', rate })) }),
    ],
    [
      'sections.0.items.0.taxes',
      withItems({
        ...item,
        taxes: Array.from({ length: limits.budgetTaxes + 1 }, (_, n) => ({ name: 'T', rate: `${n}` })),
      }),
    ],
    [
      'sections.0.items.0.discount.value',
      withItems({ ...item, discount: { kind: 'PERCENT', value: '100.1' } }),
    ],
    ['sections.0.items.0.discount.value', withItems({ ...item, discount: { kind: 'PERCENT', value: 10 } })],
    ['sections.0.items.0.discount.value', withItems({ ...item, discount: { kind: 'AMOUNT', value: '10' } })],
    ['sections.0.items.0.discount.value', withItems({ ...item, discount: { kind: 'AMOUNT', value: -1 } })],
    [
      'sections.0.items.0.discount.value',
      withItems({ ...item, discount: { kind: 'AMOUNT', value: 10_001 } }),
    ],
    [
      'discounts.0.value',
      { ...withItems(item), discounts: [{ name: 'Off', kind: 'AMOUNT', value: 10_001 }] },
    ],
    [
      'discounts',
      { discounts: Array(limits.budgetDiscounts + 1).fill({ name: 'Off', kind: 'AMOUNT', value: 0 }) },
    ],
    ['sections.0.items.0.price', withItems({ ...item, price: 1 })],
  ])('refuses an invalid %s', async (path, input) => {
    const body = { title: 'Title', clientId, ...input }
    const expected = { status: 400, body: { errorCode: 'VALIDATION_ERROR', details: [{ path }] } }
    expect(await owner.send(contract.createBudget, { body })).toMatchObject(expected)
    const { id } = await make()
    expect(await owner.send(contract.updateBudget, { params: { id }, body: input })).toMatchObject(expected)
  })

  test('must refer to an existing client, contact, opportunity and member; the error lists each field', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const theirs = await makeClient(stranger)
    const foreign = {
      clientId: theirs.id,
      contactId: (await makeContact(stranger)).id,
      ownerId: stranger.id,
      opportunityId: (
        await stranger.call(createOpportunity, { body: { title: 'Engines', clientId: theirs.id } })
      ).id,
    }
    const { id } = await make()
    for (const input of [
      foreign,
      { clientId: newId(), contactId: newId(), ownerId: newId(), opportunityId: newId() },
    ]) {
      for (const answer of [
        await owner.send(contract.createBudget, { body: { title: 'Title', ...input } }),
        await owner.send(contract.updateBudget, { params: { id }, body: input }),
      ]) {
        expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR'])
        const { details } = answer.body as unknown as { details: { path: string }[] }
        expect(details.map(({ path }) => path)).toEqual(['clientId', 'contactId', 'ownerId', 'opportunityId'])
      }
    }
  })

  test('keeps its references when they are archived or leave', async () => {
    const colleague = await organization.person()
    const contact = await makeContact(owner, { clientId })
    const named = { clientId, contactId: contact.id, ownerId: colleague.id }
    const { id } = await make(named)
    await owner.call(removeMember, { params: { personId: colleague.id } })
    await owner.call(archiveContact, { params: { id: contact.id } })
    await owner.call(archiveClient, { params: { id: clientId } })
    expect(await change(id, { ...named, title: 'Later' })).toMatchObject({ ...named, title: 'Later' })
    const again = await owner.send(contract.duplicateBudget, { params: { id } })
    expect(refusalOf(again)).toEqual([409, 'CLIENT_ARCHIVED'])
  })

  test('requires CRM_VIEW to read and CRM_EDIT to change, in its organization', async () => {
    const { id } = await make()
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const nobody = await organization.person({ permissions: ['STUDIO_VIEW'] })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const reading = [contract.readBudget, contract.readBudgetPdf] as const
    const changing = [contract.updateBudget, contract.duplicateBudget, contract.cancelBudget] as const
    for (const operation of [...reading, ...changing]) {
      const unknown = await sendTo(stranger, operation, newId(), { title: 'New' })
      expect(unknown.body).toEqual({
        statusCode: 404,
        error: 'Not Found',
        message: 'The budget does not exist.',
      })
      expect((await sendTo(stranger, operation, id, { title: 'New' })).body).toEqual(unknown.body)
      expect(refusalOf(await sendTo(nobody, operation, id, { title: 'New' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
    }
    for (const operation of reading) expect((await sendTo(viewer, operation, id)).status).toBe(200)
    for (const operation of changing)
      expect(refusalOf(await sendTo(viewer, operation, id, { title: 'New' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
    const created = await viewer.send(contract.createBudget, { body: { title: 'Title', clientId } })
    expect(refusalOf(created)).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await nobody.send(contract.listBudgets, { query: {} }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    expect(await auditedChanges(server, id)).toHaveLength(1)
    expect((await stranger.call(contract.listBudgets, { query: {} })).total).toBe(0)
  })
})

describe('the states', () => {
  test('DRAFT and SENT can be changed, and cancelled once', async () => {
    for (const status of ['DRAFT', 'SENT'] as const) {
      const { id } = await make()
      if (status === 'SENT')
        expect(await settle(id, 'SENT')).toMatchObject({ status, sent_at: expect.any(String) })
      expect(await change(id, { title: 'New' })).toMatchObject({ status, title: 'New' })
      const cancelled = await owner.call(contract.cancelBudget, { params: { id } })
      expect(cancelled).toMatchObject({ status: 'CANCELLED', title: 'New' })
      expect(await owner.call(contract.cancelBudget, { params: { id } })).toEqual(cancelled)
      expect((await auditedChanges(server, id)).slice(1)).toEqual([['title'], ['status'], []])
    }
  })

  test.each(['SIGNED', 'DECLINED', 'CANCELLED'] as const)(
    '%s changes only what the client never sees',
    async status => {
      const { id } = await make()
      if (status === 'CANCELLED') await owner.call(contract.cancelBudget, { params: { id } })
      else await settle(id, status, 'Too dear')
      const before = await owner.call(contract.readBudget, { params: { id } })
      expect(before).toMatchObject({
        signedAt: status === 'SIGNED' ? expect.any(String) : null,
        declinedAt: status === 'DECLINED' ? expect.any(String) : null,
        declineReason: status === 'DECLINED' ? 'Too dear' : null,
      })
      for (const body of [
        { title: 'New' },
        { sections: [] },
        { validUntil: '2099-01-01', internalNotes: 'Mine' },
      ])
        expect(await refused(id, body)).toEqual([409, 'BUDGET_SETTLED'])
      // the status is checked before expectedUpdatedAt
      const stale = { title: 'New', expectedUpdatedAt: '2020-01-01T00:00:00.000Z' }
      expect(await refused(id, stale)).toEqual([409, 'BUDGET_SETTLED'])
      const ours = { internalNotes: 'Mine', ownerId: owner.id }
      const changed = await change(id, { ...ours, title: before.title })
      expect(changed).toEqual({ ...before, ...ours, updatedAt: changed.updatedAt })
      const cancel = await owner.send(contract.cancelBudget, { params: { id } })
      if (status === 'CANCELLED') expect(cancel.body).toEqual(changed)
      else expect(refusalOf(cancel)).toEqual([409, 'BUDGET_SETTLED'])
    },
  )

  test.each(['DRAFT', 'SIGNED', 'CANCELLED'] as const)(
    'one that is %s is offered again as a draft',
    async status => {
      const created = await make({
        issueDate: '2026-01-15',
        validUntil: '2026-02-14',
        conditions: 'Pago a 30 días',
        internalNotes: 'Mine',
        discounts: [{ name: 'Off', kind: 'PERCENT', value: '10' }],
      })
      if (status === 'SIGNED') await settle(created.id, status)
      if (status === 'CANCELLED') await owner.call(contract.cancelBudget, { params: { id: created.id } })
      const again = await owner.call(contract.duplicateBudget, { params: { id: created.id } })
      const { id, code, createdAt, issueDate, validUntil } = again
      expect(again).toEqual({
        ...created,
        id,
        code,
        issueDate,
        validUntil,
        createdAt,
        updatedAt: createdAt,
        internalNotes: null,
      })
      expect([id, code]).not.toContain(created.id)
      expect(code).toBe(`P-${today().slice(0, 4)}-${today().startsWith('2026') ? '0002' : '0001'}`)
      expect(issueDate).toBe(today())
      expect(Date.parse(defined(validUntil)) - Date.parse(issueDate)).toBe(30 * 86_400_000)
    },
  )
})

test('the list is ordered newest first, filters by client or status, and omits the content', async () => {
  const other = (await makeClient(owner)).id
  const ids: string[] = []
  for (const input of [{}, { clientId: other }, {}, { clientId: other }]) ids.push((await make(input)).id)
  const [a, b, c, d] = ids as [string, string, string, string]
  await settle(c, 'SENT')
  await settle(d, 'SENT')
  const listed = async (query: object) =>
    (await owner.call(contract.listBudgets, { query })).items.map(({ id }) => id)
  expect(await listed({})).toEqual([d, c, b, a])
  expect(await listed({ status: 'DRAFT' })).toEqual([b, a])
  expect(await listed({ clientId: other })).toEqual([d, b])
  expect(await listed({ clientId: other, status: 'SENT' })).toEqual([d])
  const page = await owner.call(contract.listBudgets, { query: { limit: 1, offset: 3 } })
  const whole = await owner.call(contract.readBudget, { params: { id: a } })
  const { sections, discounts, taxes, conditions, notes, internalNotes, ...summary } = whole
  expect(page).toEqual({ items: [summary], total: 4, limit: 1, offset: 3 })
})

/** Converts a section of a reply to a request. */
function asGiven({ items, ...section }: contract.BudgetContent['sections'][number]) {
  return { ...section, items: items.map(({ subtotalCents: _computed, ...rest }) => rest) }
}
