import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportEntry, withdrawEntry } from '#contract/marketplace/entries.ts'
import { listEntryReports, readSubmission, settleEntryReport } from '#contract/marketplace/review-queue.ts'
import { newId } from '#platform/ids.ts'
import { findIn, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { makeApprovedEntry, makeSubmission } from '#tests/support/marketplace/marketplace.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const reason = 'It sends the customers’ names elsewhere.'

let server: TestServer
let publishers: Organization
let author: Person
let reporters: Organization
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  publishers = await server.organization({ features: ['marketplace'] })
  author = await publishers.person({ role: 'ADMIN' })
  reporters = await server.organization({ name: 'Whistleblowers', features: ['marketplace'] })
  operator = await server.operator()
})
afterAll(() => server.close())

async function listed() {
  await server.sql('delete from rate_window')
  return makeApprovedEntry(operator, author)
}
const report = (who: Person, id: string, text = reason) =>
  who.send(reportEntry, { params: { id }, body: { reason: text } })
const reports = (query = {}) => operator.call(listEntryReports, { query: { limit: 100, ...query } })
const settle = (reportId: string, status: 'CONFIRMED' | 'DISMISSED' = 'CONFIRMED', note?: string) =>
  operator.send(settleEntryReport, { params: { reportId }, body: { status, ...(note && { note }) } })

describe('a report', () => {
  it('is open until it is decided, one per person and entry', async () => {
    const { id } = await listed()
    const [one, other] = [await reporters.person(), await reporters.person()]
    const first = await report(one, id, `  ${reason}\n`)
    expect(first).toMatchObject({ status: 201, body: { entryId: id, status: 'OPEN' } })
    const again = await report(one, id, 'Something else altogether.')
    expect([again.status, again.body]).toEqual([201, first.body])
    const second = await report(other, id)
    expect(second.body.id).not.toBe(first.body.id)
    expect(await reports({ entryId: id })).toMatchObject({
      total: 2,
      items: [
        { id: first.body.id, reason, status: 'OPEN', note: null, settledAt: null },
        { id: second.body.id, reason },
      ],
    })
    await settle(first.body.id, 'DISMISSED')
    const third = await report(one, id)
    expect(third.status).toBe(201)
    expect(third.body.id).not.toBe(first.body.id)
  })

  it('does not reveal its sender', async () => {
    const entry = await listed()
    const one = await reporters.person({ name: 'Wendy Whistle', email: 'wendy@whistle.test' })
    const { body } = await report(one, entry.id)
    await settle(body.id)
    const answers = JSON.stringify([
      await reports({ entryId: entry.id }),
      await reports({ entryId: entry.id, status: 'CONFIRMED' }),
      await operator.call(readSubmission, { params: { entryId: entry.id } }),
      (await settle(body.id)).body,
    ])
    for (const secret of [one.id, one.name, one.email, reporters.id, 'Whistleblowers'])
      expect(answers).not.toContain(secret)
    await server.relayed()
    expect(
      await server.sql(`select name from event where data ->> 'entryId' = $1 and name not like '%approved'`, [
        entry.id,
      ]),
    ).toEqual([])
    const rows = await server.sql<{ organization_id: string; operation: string }>(
      `select organization_id, operation from audit where subject in ($1, $2) and operation like '%report%' order by at`,
      [entry.id, body.id],
    )
    expect(rows).toEqual([
      { organization_id: reporters.id, operation: 'POST /api/studio/marketplace/entries/:id/report' },
      {
        organization_id: operator.organizationId,
        operation: 'POST /api/operator/marketplace/reports/:reportId/settle',
      },
    ])
  })

  it('is created once for concurrent requests, and counts once against the limit', async () => {
    const { id } = await listed()
    const one = await reporters.person()
    const there = one.at((await server.anotherApi()).url)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 2 ? report(one, id) : there.send(reportEntry, { params: { id }, body: { reason } }),
      ),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(firstOf(answers).status).toBe(201)
    expect((await reports({ entryId: id })).total).toBe(1)
    const row = only(
      await server.sql<{ used: number }>(
        `select used from rate_window where bucket = 'marketplace-reports' and caller like $1`,
        [`%${one.id}`],
      ),
    )
    expect(row.used).toBe(1)
  })

  it.each([
    ['9 characters', 'x'.repeat(9), 400],
    ['10 characters', 'x'.repeat(10), 201],
    ['9 characters among spaces', `   ${'x'.repeat(9)}   `, 400],
    ['spaces', ' '.repeat(100), 400],
    ['1,000 characters', 'x'.repeat(1_000), 201],
    ['1,000 characters among spaces', `\n ${'x'.repeat(1_000)} \t`, 201],
    ['1,000 characters of two code units', '😀'.repeat(1_000), 201],
    ['1,001 characters', 'x'.repeat(1_001), 400],
    ['more than is sent', ' '.repeat(5_000), 400],
  ])('is given a reason: %s', async (_what, text, status) => {
    const { id } = await listed()
    const answer = await report(await reporters.person(), id, text)
    expect(answer.status).toBe(status)
    if (status === 400) expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
    else expect(only((await reports({ entryId: id })).items).reason).toBe(text.trim())
  })

  it('concerns visible entries of others', async () => {
    const { id } = await listed()
    expect(refusalOf(await report(author, id))).toEqual([400, 'ENTRY_OWN'])
    // a colleague of the submitter
    expect((await report(await publishers.person(), id)).status).toBe(201)
    await server.sql('delete from rate_window')
    const waiting = await makeSubmission(author)
    const stranger = await reporters.person()
    const [hidden, unknown] = [await report(stranger, waiting.id), await report(stranger, newId())]
    expect(refusalOf(hidden)).toEqual([404, 'ENTRY_NOT_FOUND'])
    expect(hidden.text).toBe(unknown.text)
    expect(refusalOf(await report(await publishers.person({ role: 'OWNER' }), waiting.id))).toEqual([
      400,
      'ENTRY_NOT_APPROVED',
    ])
    expect(refusalOf(await report(await publishers.person(), waiting.id))).toEqual([404, 'ENTRY_NOT_FOUND'])
    await author.call(withdrawEntry, { params: { id } })
    expect(refusalOf(await report(stranger, id))).toEqual([404, 'ENTRY_NOT_FOUND'])
  })

  it('needs the permission and the feature', async () => {
    const { id } = await listed()
    const without = await reporters.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await report(without, id))).toEqual([403, 'PERMISSION_DENIED'])
    const elsewhere = await (await server.organization()).person()
    expect(refusalOf(await report(elsewhere, id))).toEqual([403, 'FEATURE_NOT_ENABLED'])
  })
})

describe('triage', () => {
  it('lists open reports oldest first, and decided ones newest first', async () => {
    await server.sql('delete from market_report')
    const [a, b] = [await listed(), await listed()]
    const ids = []
    for (const { id } of [a, b, a, b]) ids.push((await report(await reporters.person(), id)).body.id)
    expect((await reports()).items.map(({ id }) => id)).toEqual(ids)
    expect((await reports({ status: 'OPEN', limit: 2, offset: 1 })).items.map(({ id }) => id)).toEqual(
      ids.slice(1, 3),
    )
    expect(await reports({ entryId: a.id })).toMatchObject({
      total: 2,
      items: [{ id: ids[0] }, { id: ids[2] }],
    })
    expect((await reports()).items[0]).toMatchObject({ entryId: a.id, entryName: a.name })

    const settled = await settle(firstOf(ids), 'CONFIRMED', ' Seen. ')
    expect(settled).toMatchObject({
      status: 200,
      body: { id: ids[0], status: 'CONFIRMED', note: 'Seen.', settledAt: expect.any(String) },
    })
    await settle(itemAt(ids, 2))
    expect((await reports({ status: 'CONFIRMED' })).items.map(({ id }) => id)).toEqual([ids[2], ids[0]])
    expect(await reports({ status: 'DISMISSED' })).toMatchObject({ total: 0, items: [] })
    expect((await reports()).total).toBe(2)
  })

  it('decides a report once for concurrent operators', async () => {
    const { id } = await listed()
    const { body } = await report(await reporters.person(), id)
    const answers = await Promise.all([
      settle(body.id, 'CONFIRMED'),
      settle(body.id, 'DISMISSED'),
      settle(body.id, 'CONFIRMED'),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(refusalOf(findIn(answers, ({ status }) => status === 409))).toEqual([409, 'REPORT_SETTLED'])
    expect(refusalOf(await settle(newId()))).toEqual([404, 'REPORT_NOT_FOUND'])
  })

  it('is for operators only', async () => {
    const boss = await reporters.person({ role: 'OWNER' })
    expect(refusalOf(await boss.send(listEntryReports, {}))).toEqual([403, 'PERMISSION_DENIED'])
    const params = { reportId: newId() }
    expect(refusalOf(await boss.send(settleEntryReport, { params, body: { status: 'CONFIRMED' } }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    for (const body of [{ status: 'OPEN' }, {}, { status: 'CONFIRMED', note: 'x'.repeat(4_001) }])
      expect((await operator.send(settleEntryReport, { params, body: body as never })).status).toBe(400)
  })
})
