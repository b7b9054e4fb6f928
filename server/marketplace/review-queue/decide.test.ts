import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEntries, readEntry, submitEntry, withdrawEntry } from '#contract/marketplace/entries.ts'
import {
  approveSubmission,
  listSubmissions,
  readSubmission,
  rejectSubmission,
  startReview,
} from '#contract/marketplace/review-queue.ts'
import { updateAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { newId } from '#platform/ids.ts'
import { defined, findIn } from '#tests/support/elements.ts'
import {
  makeApprovedEntry,
  makePublishedAsset,
  makeSubmission,
} from '#tests/support/marketplace/marketplace.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

const reason = 'The second step deletes what it should keep.'

let server: TestServer
let author: Person
let operator: Person
let colleague: Person
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization({ name: 'Kraken', features: ['marketplace'] })).person({
    role: 'ADMIN',
  })
  operator = await server.operator()
  colleague = await server.operator()
})
afterAll(() => server.close())

const releaseOf = async (entryId: string) =>
  (await operator.call(readSubmission, { params: { entryId } })).releaseId
const start = (entryId: string, who = operator) => who.send(startReview, { params: { entryId } })
const approve = (entryId: string, releaseId: string, who = operator) =>
  who.send(approveSubmission, { params: { entryId }, body: { releaseId } })
const reject = (entryId: string, releaseId: string, who = operator) =>
  who.send(rejectSubmission, { params: { entryId }, body: { releaseId, reason } })
const seen = (id: string, who = author) => who.call(readEntry, { params: { id } })

/** The events about an entry with their recipients. */
async function eventsOf(entryId: string) {
  await server.relayed()
  return server.sql<{ name: string; data: unknown; recipients: string[] | null }>(
    `select name, data, recipients from event where data ->> 'entryId' = $1 order by seq`,
    [entryId],
  )
}
const toAuthor = () => [`${author.organizationId}/${author.id}`]

async function audited(organizationId: string, subject: string) {
  await server.relayed()
  const rows = await server.sql<{ operation: string; actor_id: string; auth: string }>(
    'select operation, actor_id, auth from audit where organization_id = $1 and subject = $2 order by seq',
    [organizationId, subject],
  )
  return rows.filter(({ auth }) => auth === 'operator')
}

/** Publishes and submits a newer version of the asset of an entry. */
async function update(entry: { id: string; assetId?: string }): Promise<void> {
  const params = { id: defined(entry.assetId) }
  await author.call(updateAsset, { params, body: { bodyMarkdown: `Do it better: ${newId()}` } })
  await author.call(publishAsset, { params })
  await resubmit(entry)
}
async function resubmit({ assetId }: { assetId?: string }): Promise<void> {
  await server.sql('delete from rate_window')
  await author.call(submitEntry, {
    body: { assetId: defined(assetId), category: 'OTHER', acceptPolicy: true },
  })
}
async function pending() {
  await server.sql('delete from rate_window')
  return makeSubmission(author)
}

describe('a review', () => {
  it('starts once, with an event for the submitter', async () => {
    const { id } = await pending()
    const [first, second] = [await start(id), await start(id, colleague)]
    expect(first).toMatchObject({
      status: 200,
      body: {
        entryId: id,
        status: 'UNDER_REVIEW',
        organizationId: author.organizationId,
        organizationName: 'Kraken',
        submittedBy: { id: author.id, name: author.name },
        reviewedBy: operator.name,
        decidedAt: null,
      },
    })
    expect(refusalOf(second)).toEqual([409, 'REVIEW_STARTED'])
    expect((await seen(id)).status).toBe('UNDER_REVIEW')
    expect(await eventsOf(id)).toEqual([
      {
        name: 'ai-marketplace.under-review',
        data: { entryId: id, version: '1.0.0' },
        recipients: toAuthor(),
      },
    ])
    expect(await audited(author.organizationId, id)).toEqual([
      {
        operation: 'POST /api/operator/marketplace/submissions/:entryId/start',
        actor_id: operator.id,
        auth: 'operator',
      },
    ])
  })

  it.each([true, false])('approves and lists the release, started: %s', async isStarted => {
    const { id } = await pending()
    if (isStarted) await start(id)
    const releaseId = await releaseOf(id)
    const answer = await operator.send(approveSubmission, {
      params: { entryId: id },
      body: { releaseId, note: ' Good. ' },
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'APPROVED', reviewedBy: operator.name, decidedAt: expect.any(String), isUpdate: false },
    })
    const stranger = await (await server.organization({ features: ['marketplace'] })).person()
    expect(await seen(id, stranger)).toMatchObject({ status: 'APPROVED', isOwn: false })
    expect((await stranger.call(listEntries, {})).items.map(item => item.id)).toContain(id)
    expect((await eventsOf(id)).at(-1)).toEqual({
      name: 'ai-marketplace.approved',
      data: { entryId: id, version: '1.0.0' },
      recipients: toAuthor(),
    })
    expect((await audited(author.organizationId, id)).at(-1)).toMatchObject({
      operation: 'POST /api/operator/marketplace/submissions/:entryId/approve',
    })
    const detail = await operator.call(readSubmission, { params: { entryId: id } })
    expect(detail).toMatchObject({ note: 'Good.', rejectionReason: null })
    expect(refusalOf(await approve(id, releaseId))).toEqual([409, 'ENTRY_NOT_IN_REVIEW'])
  })

  it.each([true, false])('rejects with a reason for the submitter, started: %s', async isStarted => {
    const { id } = await pending()
    if (isStarted) await start(id)
    const releaseId = await releaseOf(id)
    expect(await reject(id, releaseId)).toMatchObject({ status: 200, body: { status: 'REJECTED' } })
    expect(await seen(id)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: reason,
      pendingRelease: null,
    })
    expect((await eventsOf(id)).at(-1)).toEqual({
      name: 'ai-marketplace.rejected',
      data: { entryId: id, version: '1.0.0', reason },
      recipients: toAuthor(),
    })
    expect(refusalOf(await reject(id, releaseId))).toEqual([409, 'ENTRY_NOT_IN_REVIEW'])
    expect(refusalOf(await start(id))).toEqual([409, 'ENTRY_NOT_IN_REVIEW'])
  })

  it('of an update leaves the approved release listed until the update is approved', async () => {
    const entry = await makeApprovedEntry(operator, author)
    const { id } = entry
    const first = await releaseOf(id)
    await update(entry)
    expect(await start(id)).toMatchObject({
      body: { status: 'UNDER_REVIEW', isUpdate: true, version: '1.0.1' },
    })
    expect(await seen(id)).toMatchObject({ status: 'APPROVED', version: '1.0.0' })
    const second = await releaseOf(id)
    await reject(id, second)
    expect(await seen(id)).toMatchObject({
      status: 'APPROVED',
      version: '1.0.0',
      rejectionReason: reason,
      pendingRelease: null,
    })
    await resubmit(entry)
    expect(refusalOf(await approve(id, second))).toEqual([409, 'RELEASE_CHANGED'])
    expect((await approve(id, await releaseOf(id))).status).toBe(200)
    expect(await seen(id)).toMatchObject({ status: 'APPROVED', version: '1.0.1' })
    const rows = await server.sql<{ status: string }>(
      'select status from market_release where entry_id = $1 order by submitted_at',
      [id],
    )
    expect(rows.map(({ status }) => status)).toEqual(['ARCHIVED', 'REJECTED', 'APPROVED'])
    // the base of merges
    const [base] = await server.sql('select body_markdown from market_release where id = $1', [first])
    expect(base).toEqual({ body_markdown: 'Do it.' })
  })

  it('refuses a release that was withdrawn or replaced meanwhile', async () => {
    const entry = await pending()
    const { id } = entry
    const read = await releaseOf(id)
    await author.call(withdrawEntry, { params: { id } })
    expect(refusalOf(await approve(id, read))).toEqual([409, 'ENTRY_NOT_IN_REVIEW'])
    expect(refusalOf(await reject(id, read))).toEqual([409, 'ENTRY_NOT_IN_REVIEW'])
    await resubmit(entry)
    expect(refusalOf(await approve(id, read))).toEqual([409, 'RELEASE_CHANGED'])
    expect(refusalOf(await reject(id, read))).toEqual([409, 'RELEASE_CHANGED'])
    expect((await seen(id)).status).toBe('PENDING')
    expect((await eventsOf(id)).filter(({ name }) => /approved|rejected/.test(name))).toEqual([])
  })

  it('is decided once for concurrent operators', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await pending()
      const releaseId = await releaseOf(id)
      const answers = await Promise.all([
        approve(id, releaseId),
        reject(id, releaseId, colleague),
        approve(id, releaseId, colleague),
        reject(id, releaseId),
      ])
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused.map(refusalOf)).toEqual(Array(3).fill([409, 'ENTRY_NOT_IN_REVIEW']))
      const winner = findIn(answers, ({ status }) => status === 200)
      const entry = await seen(id)
      expect(entry.status).toBe((winner.body as { status: string }).status)
      expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
        `ai-marketplace.${entry.status.toLowerCase()}`,
      ])
    }
  })

  it('is started by one of many concurrent operators', async () => {
    const { id } = await pending()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => start(id, n % 2 ? operator : colleague)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect((await eventsOf(id)).length).toBe(1)
  })

  it('and a concurrent withdrawal happen one after the other', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await pending()
      const releaseId = await releaseOf(id)
      const [decided, withdrawn] = await Promise.all([
        approve(id, releaseId),
        author.send(withdrawEntry, { params: { id } }),
      ])
      expect(withdrawn.status).toBe(200)
      expect([200, 409]).toContain(decided.status)
      expect((await seen(id)).status).toBe('ARCHIVED')
      const [listing] = await server.sql('select is_listed from market_listing where entry_id = $1', [id])
      expect(listing?.is_listed ?? false).toBe(false)
    }
  })
})

describe('access', () => {
  it('members cannot decide, nor operators about their own entries', async () => {
    const { id } = await pending()
    const releaseId = await releaseOf(id)
    const owner = await (await server.organization({ features: ['marketplace'] })).person({ role: 'OWNER' })
    for (const who of [author, owner]) {
      for (const answer of [
        await start(id, who),
        await approve(id, releaseId, who),
        await reject(id, releaseId, who),
      ])
        expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
      expect(refusalOf(await who.send(listSubmissions, {}))).toEqual([403, 'PERMISSION_DENIED'])
      expect(refusalOf(await who.send(readSubmission, { params: { entryId: id } }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
    }
    await server.sql(`update organization set features = '{marketplace}' where id = $1`, [
      operator.organizationId,
    ])
    const insider = operator.at((await server.anotherApi()).url)
    const entry = await insider.call(submitEntry, {
      body: { assetId: await makePublishedAsset(operator), category: 'OTHER', acceptPolicy: true },
    })
    const own = await releaseOf(entry.id)
    for (const answer of [await start(entry.id), await approve(entry.id, own), await reject(entry.id, own)])
      expect(refusalOf(answer)).toEqual([409, 'NOT_ON_YOURSELF'])
    expect((await approve(entry.id, own, colleague)).status).toBe(200)
  })

  it('an unknown entry is not found', async () => {
    const entryId = newId()
    const answers = [await start(entryId), await approve(entryId, newId()), await reject(entryId, newId())]
    for (const answer of answers) expect(refusalOf(answer)).toEqual([404, 'ENTRY_NOT_FOUND'])
  })

  it.each([
    ['too short', 'x'.repeat(9)],
    ['spaces', ' '.repeat(20)],
    ['spaces around too little', `     short     `],
    ['too long', 'x'.repeat(4_001)],
  ])('takes a reason that is %s', async (_what, bad) => {
    const { id } = await pending()
    const body = { releaseId: await releaseOf(id), reason: bad }
    const answer = await operator.send(rejectSubmission, { params: { entryId: id }, body })
    expect(answer).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
  })
})
