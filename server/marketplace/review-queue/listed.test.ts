import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEntries, readEntry, submitEntry } from '#contract/marketplace/entries.ts'
import {
  delistEntry,
  featureEntry,
  hideReview,
  showReviewAgain,
  unfeatureEntry,
} from '#contract/marketplace/review-queue.ts'
import { updateAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { newId } from '#platform/ids.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import {
  approveEntry,
  makeApprovedEntry,
  makePublishedAsset,
  makeSubmission,
} from '#tests/support/marketplace/marketplace.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { endExpiredFeatures } from './featured.sql.ts'

const reason = 'Its attachments were reported as harmful.'

let server: TestServer
let author: Person
let reader: Person
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'ADMIN' })
  reader = await (await server.organization({ features: ['marketplace'] })).person()
  operator = await server.operator()
})
afterAll(() => server.close())

async function listed() {
  await server.sql('delete from rate_window')
  return makeApprovedEntry(operator, author)
}
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const feature = (entryId: string, until: string, who = operator) =>
  who.send(featureEntry, { params: { entryId }, body: { until } })
const unfeature = (entryId: string, who = operator) => who.send(unfeatureEntry, { params: { entryId } })
const delist = (entryId: string, who = operator) =>
  who.send(delistEntry, { params: { entryId }, body: { reason } })
const seen = (id: string, who = author) => who.send(readEntry, { params: { id } })

async function eventsOf(entryId: string) {
  await server.relayed()
  const rows = await server.sql<{ name: string; data: object; recipients: string[] | null }>(
    `select name, data, recipients from event where data ->> 'entryId' = $1 order by seq`,
    [entryId],
  )
  return rows.filter(({ name }) => !name.endsWith('.approved'))
}
async function audited(organizationId: string, subject: string) {
  await server.relayed()
  return server.sql(
    `select operation, changed from audit where organization_id = $1 and subject = $2 and auth = 'operator' order by seq`,
    [organizationId, subject],
  )
}

describe('featuring', () => {
  it('lasts until its time, with one event for everyone', async () => {
    const { id } = await listed()
    const until = later(3)
    const featured = { entryId: id, featured: true, featuredUntil: until }
    expect(await feature(id, until)).toMatchObject({ status: 200, body: featured })
    expect((await feature(id, until)).body).toEqual(featured)
    // the same time in another notation
    const elsewhere = `${new Date(Date.parse(until) + 3_600_000).toISOString().slice(0, -1)}+01:00`
    expect((await feature(id, elsewhere)).body).toEqual(featured)
    expect((await seen(id, reader)).body).toMatchObject({ featured: true, featuredUntil: until })
    const query = { featured: true }
    expect((await reader.call(listEntries, { query })).items.map(item => item.id)).toContain(id)
    expect(await eventsOf(id)).toEqual([
      { name: 'ai-marketplace.featured', data: { entryId: id, featuredUntil: until }, recipients: null },
    ])
    const longer = later(5)
    await feature(id, longer)
    expect(await eventsOf(id)).toHaveLength(2)

    const plain = { entryId: id, featured: false, featuredUntil: null }
    expect(await unfeature(id)).toMatchObject({ status: 200, body: plain })
    expect((await unfeature(id)).body).toEqual(plain)
    expect((await seen(id, reader)).body).toMatchObject({ featured: false, featuredUntil: null })
    expect((await eventsOf(id)).slice(2)).toEqual([
      { name: 'ai-marketplace.unfeatured', data: { entryId: id }, recipients: null },
    ])
    expect((await audited(author.organizationId, id)).slice(1)).toMatchObject([
      { operation: 'POST /api/operator/marketplace/entries/:entryId/feature', changed: ['featuredUntil'] },
      { changed: [] },
      { changed: [] },
      { changed: ['featuredUntil'] },
      { operation: 'DELETE /api/operator/marketplace/entries/:entryId/feature', changed: ['featuredUntil'] },
      { changed: [] },
    ])
  })

  it('needs a listed entry and a future time within the limit', async () => {
    const { id } = await listed()
    for (const until of [
      later(-1),
      new Date(Date.now() - 1).toISOString(),
      later(365.01),
      'tomorrow',
      '2999-01-01',
    ])
      expect([until, refusalOf(await feature(id, until))]).toEqual([until, [400, 'VALIDATION_ERROR']])
    expect((await feature(id, later(364.9))).status).toBe(200)
    await server.sql('delete from rate_window')
    const waiting = await makeSubmission(author)
    expect(refusalOf(await feature(waiting.id, later(1)))).toEqual([400, 'ENTRY_NOT_APPROVED'])
    expect((await unfeature(waiting.id)).body).toMatchObject({ featured: false })
    for (const answer of [await feature(newId(), later(1)), await unfeature(newId())])
      expect(refusalOf(answer)).toEqual([404, 'ENTRY_NOT_FOUND'])
    for (const answer of [await feature(id, later(1), author), await unfeature(id, author)])
      expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('is refused for own entries', async () => {
    await server.sql(`update organization set features = '{marketplace}' where id = $1`, [
      operator.organizationId,
    ])
    const insider = operator.at((await server.anotherApi()).url)
    const body = {
      assetId: await makePublishedAsset(operator),
      category: 'OTHER',
      acceptPolicy: true,
    } as const
    const { id } = await insider.call(submitEntry, { body })
    await approveEntry(await server.operator(), author, { id }).catch(() => {})
    expect(refusalOf(await feature(id, later(1)))).toEqual([409, 'NOT_ON_YOURSELF'])
  })

  it('ends automatically, with one event for any number of workers', async () => {
    const entries = [await listed(), await listed(), await listed()]
    for (const { id } of entries) await feature(id, later(1))
    const over = entries.slice(0, 2).map(({ id }) => id)
    await server.sql(
      `update market_listing set featured_until = now() - interval '1 second' where entry_id = any($1)`,
      [over],
    )
    // before the event
    for (const id of over)
      expect((await seen(id, reader)).body).toMatchObject({ featured: false, featuredUntil: null })
    const { database } = server.api.services
    expect(await endExpiredFeatures(database, 1)).toBe(1)
    const ended = await Promise.all(Array.from({ length: 4 }, () => endExpiredFeatures(database)))
    expect(ended.reduce((sum, n) => sum + n)).toBe(1)
    expect(await endExpiredFeatures(database)).toBe(0)
    for (const id of over) {
      expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
        'ai-marketplace.featured',
        'ai-marketplace.unfeatured',
      ])
    }
    expect((await eventsOf(itemAt(entries, 2).id)).length).toBe(1)
    expect((await seen(itemAt(entries, 2).id, reader)).body).toMatchObject({ featured: true })
  })

  it('serializes concurrent changes', async () => {
    const { id } = await listed()
    await feature(id, later(1))
    await Promise.all(Array.from({ length: 6 }, () => unfeature(id)))
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
      'ai-marketplace.featured',
      'ai-marketplace.unfeatured',
    ])
  })
})

describe('delisting', () => {
  it('removes an entry from the catalogue, with a reason for its submitter', async () => {
    const entry = await listed()
    const { id } = entry
    await feature(id, later(1))
    const answer = await delist(id)
    expect(answer).toMatchObject({ status: 200, body: { entryId: id, status: 'ARCHIVED', isUpdate: false } })
    expect((await seen(id)).body).toMatchObject({
      status: 'ARCHIVED',
      rejectionReason: reason,
      version: '1.0.0',
    })
    expect((await seen(id, reader)).status).toBe(404)
    expect((await reader.call(listEntries, {})).items.map(item => item.id)).not.toContain(id)
    expect((await eventsOf(id)).slice(1)).toEqual([
      { name: 'ai-marketplace.unfeatured', data: { entryId: id }, recipients: null },
      {
        name: 'ai-marketplace.archived',
        data: { entryId: id, reason },
        recipients: [`${author.organizationId}/${author.id}`],
      },
    ])
    expect((await audited(author.organizationId, id)).at(-1)).toEqual({
      operation: 'POST /api/operator/marketplace/entries/:entryId/delist',
      changed: ['status'],
    })
    expect(refusalOf(await delist(id))).toEqual([400, 'ENTRY_NOT_APPROVED'])
    // it can be listed again
    await author.call(submitEntry, {
      body: { assetId: defined(entry.assetId), category: 'OTHER', acceptPolicy: true },
    })
    expect(await approveEntry(operator, author, { id })).toMatchObject({
      status: 'APPROVED',
      rejectionReason: null,
    })
  })

  it('also archives a waiting release', async () => {
    const entry = await listed()
    const { id } = entry
    const params = { id: defined(entry.assetId) }
    await author.call(updateAsset, { params, body: { bodyMarkdown: 'Do it again.' } })
    await author.call(publishAsset, { params })
    await author.call(submitEntry, { body: { assetId: params.id, category: 'OTHER', acceptPolicy: true } })
    await delist(id)
    expect((await seen(id)).body).toMatchObject({
      status: 'ARCHIVED',
      pendingRelease: null,
      rejectionReason: reason,
      version: '1.0.0',
    })
    const rows = await server.sql<{ status: string; reason: string | null }>(
      'select status, reason from market_release where entry_id = $1 order by submitted_at',
      [id],
    )
    expect(rows).toEqual([
      { status: 'ARCHIVED', reason },
      { status: 'ARCHIVED', reason: null },
    ])
  })

  it('is for listed entries, for operators, with a reason', async () => {
    const { id } = await listed()
    expect(refusalOf(await delist(id, author))).toEqual([403, 'PERMISSION_DENIED'])
    expect(refusalOf(await delist(newId()))).toEqual([404, 'ENTRY_NOT_FOUND'])
    for (const bad of ['', 'short', ' '.repeat(30), 'x'.repeat(4_001)]) {
      const answer = await operator.send(delistEntry, { params: { entryId: id }, body: { reason: bad } })
      expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
    }
    await server.sql('delete from rate_window')
    expect(refusalOf(await delist((await makeSubmission(author)).id))).toEqual([400, 'ENTRY_NOT_APPROVED'])
    const answers = await Promise.all([delist(id), delist(id), delist(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await eventsOf(id)).length).toBe(1)
  })
})

describe('the text of a review', () => {
  it('is hidden for a reason and shown again; the rating stays', async () => {
    const { id } = await listed()
    const reviewId = newId()
    await insertRows(server, 'market_review', [
      {
        id: reviewId,
        entry_id: id,
        author_organization_id: reader.organizationId,
        author_id: reader.id,
        rating: 1,
        comment: 'Rude words',
      },
    ])
    const row = async () =>
      (
        await server.sql(
          `select r.rating, r.comment, h.hidden_at, h.reason from market_review r
           left join market_review_hidden h using (entry_id, author_id) where r.id = $1`,
          [reviewId],
        )
      )[0]
    const params = { reviewId }
    const hidden = await operator.send(hideReview, { params, body: { reason: ` ${reason} ` } })
    expect(hidden).toMatchObject({ status: 200, body: { id: reviewId, isHidden: true } })
    const first = await row()
    expect(first).toEqual({
      rating: 1,
      comment: 'Rude words',
      hidden_at: expect.any(String),
      reason,
    })
    await operator.call(hideReview, { params, body: { reason: 'Another reason.' } })
    expect(await row()).toEqual({ ...first, reason: 'Another reason.' })
    expect(await operator.call(showReviewAgain, { params })).toEqual({ id: reviewId, isHidden: false })
    expect(await row()).toMatchObject({ hidden_at: null, reason: null, comment: 'Rude words' })
    expect((await operator.send(showReviewAgain, { params })).status).toBe(200)
    expect((await audited(operator.organizationId, reviewId)).length).toBe(4)
    for (const organizationId of [reader.organizationId, author.organizationId])
      expect(await audited(organizationId, reviewId)).toEqual([])
    expect(await eventsOf(id)).toEqual([])
  })

  it('is for operators only', async () => {
    const params = { reviewId: newId() }
    expect(refusalOf(await operator.send(hideReview, { params, body: { reason } }))).toEqual([
      404,
      'REVIEW_NOT_FOUND',
    ])
    expect(refusalOf(await operator.send(showReviewAgain, { params }))).toEqual([404, 'REVIEW_NOT_FOUND'])
    expect(refusalOf(await author.send(hideReview, { params, body: { reason } }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    expect(refusalOf(await author.send(showReviewAgain, { params }))).toEqual([403, 'PERMISSION_DENIED'])
    for (const bad of ['short', ' '.repeat(30), 'x'.repeat(4_001)])
      expect(refusalOf(await operator.send(hideReview, { params, body: { reason: bad } }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
  })
})
