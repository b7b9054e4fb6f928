import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStreamToken } from '#contract/identity/sessions.ts'
import {
  checkEntry,
  installEntry,
  listEntries,
  readEntry,
  submitEntry,
} from '#contract/marketplace/entries.ts'
import { listInstalls, updateInstall } from '#contract/marketplace/installs.ts'
import {
  approveSubmission,
  featureEntry,
  listSubmissions,
  readSubmission,
  rejectSubmission,
  startReview,
} from '#contract/marketplace/review-queue.ts'
import { listReviews, markHelpful, writeReview } from '#contract/marketplace/reviews.ts'
import type { Input } from '#contract/operation.ts'
import { readAsset, updateAsset } from '#contract/studio/assets.ts'
import { addressOfFile, listFiles } from '#contract/studio/files.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { listVersions } from '#contract/studio/versions.ts'
import { firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import { type EventStream, openStream } from '#tests/support/event-stream.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// The marketplace as a publishing company, the operators and an installing company use it

let server: TestServer
let author: Person
let user: Person
let other: Person
let operator: Person
const streams: EventStream[] = []
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'ADMIN' })
  user = await (await server.organization({ features: ['marketplace'] })).person()
  other = await (await server.organization({ features: ['marketplace'] })).person()
  operator = await server.operator()
})
afterAll(async () => {
  for (const stream of streams) stream.close()
  await server.close()
})

async function streamOf(person: Person): Promise<EventStream> {
  const { token } = await person.call(createStreamToken)
  const stream = await openStream(`${server.url}/api/studio/marketplace/events?token=${token}`)
  streams.push(stream)
  await stream.until(({ event }) => event === 'connected')
  return stream
}
const eventNames = (stream: EventStream) =>
  stream.events().map(({ event }) => event.replace('marketplace-', ''))
const lines = (...text: string[]) => `${text.join('\n')}\n`

describe('A skill is published in the marketplace', () => {
  let assetId: string
  let entryId: string
  let installId: string
  let copyId: string
  let reviewId: string
  const body = lines(
    '# Review a contract',
    '',
    '1. Read it whole.',
    '2. Name what binds us.',
    '3. Say what is missing.',
  )

  test('it is checked, submitted, reviewed and approved', async () => {
    const [hers, his] = [await streamOf(author), await streamOf(user)]
    assetId = (
      await makeAsset(author, {
        type: 'SKILL',
        name: 'Contract review',
        description: 'Reads contracts before they are signed.',
        bodyMarkdown: body,
        tags: ['legal'],
      })
    ).id
    await addFiles(author, assetId, [['references/clauses.md', 'Clauses that matter.\n']])
    const asset: Input<typeof submitEntry>['body'] = {
      assetId,
      category: 'DOCUMENTATION',
      tags: ['contracts'],
      acceptPolicy: true,
    }
    expect((await author.send(submitEntry, { body: asset })).body).toMatchObject({
      errorCode: 'ASSET_NOT_PUBLISHED',
    })
    await author.call(publishAsset, { params: { id: assetId } })
    expect(await author.call(checkEntry, { body: { assetId } })).toMatchObject({ isSubmittable: true })
    const entry = await author.call(submitEntry, { body: asset })
    entryId = entry.id
    expect(entry).toMatchObject({
      status: 'PENDING',
      isOwn: true,
      category: 'DOCUMENTATION',
      tags: ['contracts'],
    })
    expect((await user.send(readEntry, { params: { id: entryId } })).status).toBe(404)

    const params = { entryId }
    const { items } = await operator.call(listSubmissions)
    expect(items).toMatchObject([{ entryId, version: '1.0.0', isUpdate: false, status: 'PENDING' }])
    const { releaseId } = await operator.call(startReview, { params })
    const seen = await operator.call(readSubmission, { params })
    expect(seen).toMatchObject({
      bodyMarkdown: body,
      difference: null,
      files: [{ path: 'references/clauses.md' }],
    })
    await operator.call(approveSubmission, { params, body: { releaseId } })
    await hers.until(({ event }) => event === 'marketplace-approved')
    expect(eventNames(hers)).toEqual(['under-review', 'approved'])
    expect(eventNames(his)).toEqual([])

    const found = await user.call(listEntries, { query: { search: 'contract', category: 'DOCUMENTATION' } })
    expect(found).toMatchObject({
      total: 1,
      items: [{ id: entryId, isOwn: false, installed: null, installCount: 0 }],
    })
  })

  test('another company installs it, a private copy with its attachments', async () => {
    const [hers, theirs] = [firstOf(streams), await streamOf(other)]
    const params = { id: entryId }
    const installed = await user.call(installEntry, { params, body: { acknowledgeDisclaimer: true } })
    expect(installed).toMatchObject({ installedVersion: '1.0.0', filesCopied: 1, filesFailed: 0 })
    installId = installed.installId
    copyId = installed.installedAssetId
    const copy = { id: copyId }
    expect(await user.call(readAsset, { params: copy })).toMatchObject({
      name: 'Contract review',
      bodyMarkdown: body,
      visibility: 'PRIVATE',
      status: 'DRAFT',
    })
    const file = firstOf((await user.call(listFiles, { params: { ...copy, version: 'current' } })).items)
    const { url } = await user.call(addressOfFile, {
      params: { ...copy, version: 'current', fileId: file.id },
    })
    expect(await (await fetch(new URL(new URL(url).pathname + new URL(url).search, server.url))).text()).toBe(
      'Clauses that matter.\n',
    )
    await hers.until(({ event }) => event === 'marketplace-installed')
    expect(theirs.events()).toEqual([])
    await user.call(installEntry, { params, body: { acknowledgeDisclaimer: true, customName: 'Again' } })
    expect(await user.call(readEntry, { params })).toMatchObject({ installCount: 1 })
  })

  test('it is rated anonymously', async () => {
    const theirs = lastOf(streams)
    const params = { id: entryId }
    const early = await other.send(writeReview, { params, body: { rating: 1 } })
    expect(early.body).toMatchObject({ errorCode: 'ENTRY_NOT_INSTALLED' })
    const review = await user.call(writeReview, { params, body: { rating: 5, comment: 'Found two traps.' } })
    reviewId = review.id
    expect(review).toMatchObject({ isOwn: true, version: '1.0.0', user: { name: user.name } })
    const { items } = await other.call(listReviews, { params })
    expect(items).toMatchObject([{ id: reviewId, rating: 5, user: { name: 'Usuario de otra empresa' } }])
    expect(Object.keys(firstOf(items))).not.toEqual(expect.arrayContaining(['userId']))
    await other.call(markHelpful, { params: { reviewId } })
    await other.call(markHelpful, { params: { reviewId } })
    expect(await author.call(listReviews, { params })).toMatchObject({ items: [{ helpfulCount: 1 }] })
    await theirs.until(({ event }) => event === 'marketplace-review-helpful')
    expect(eventNames(theirs)).toEqual(['reviewed', 'review-helpful'])
    expect(await other.call(readEntry, { params })).toMatchObject({ ratingAverage: 5, ratingCount: 1 })
  })

  test('a new version waits for the review while the old one stays, and reaches the copies', async () => {
    const hers = firstOf(streams)
    const id = assetId
    const next = body.replace('3. Say what is missing.', '3. Say what is missing.\n4. Propose a wording.')
    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: next } })
    await author.call(publishAsset, { params: { id } })
    await hers.until(({ event }) => event === 'marketplace-new-version-pending-review')
    const entry = { params: { id: entryId } }
    const submitted = await author.call(submitEntry, {
      body: { assetId, category: 'DOCUMENTATION', acceptPolicy: true },
    })
    expect(submitted).toMatchObject({
      id: entryId,
      status: 'APPROVED',
      version: '1.0.0',
      pendingRelease: { version: '1.0.1', status: 'PENDING' },
    })
    expect(await user.call(readEntry, entry)).toMatchObject({
      version: '1.0.0',
      bodyMarkdown: body,
      installed: { updateAvailable: false },
    })
    const params = { entryId }
    const seen = await operator.call(readSubmission, { params })
    expect(seen).toMatchObject({ isUpdate: true, difference: { bodyMarkdown: { added: 1, removed: 0 } } })
    await operator.call(approveSubmission, { params, body: { releaseId: seen.releaseId } })
    expect(await user.call(readEntry, entry)).toMatchObject({
      version: '1.0.1',
      installed: { updateAvailable: true },
    })

    // local changes stay
    const mine = body.replace('1. Read it whole.', '1. Read it whole, twice.')
    await user.call(updateAsset, { params: { id: copyId }, body: { bodyMarkdown: mine } })
    const install = (await user.call(listInstalls)).items.find(item => item.installId === installId)
    expect(install).toMatchObject({ updateAvailable: true, installedVersion: '1.0.0' })
    const updated = await user.call(updateInstall, { params: { id: installId } })
    expect(updated).toMatchObject({ fromVersion: '1.0.0', toVersion: '1.0.1', isMerged: true, conflicts: [] })
    expect((await user.call(readAsset, { params: { id: copyId } })).bodyMarkdown).toBe(
      next.replace('1. Read it whole.', '1. Read it whole, twice.'),
    )
    expect((await user.call(listVersions, { params: { id: copyId } })).total).toBe(3)
    expect((await user.send(updateInstall, { params: { id: installId } })).body).toMatchObject({
      errorCode: 'INSTALL_UP_TO_DATE',
    })
  })

  test('changes to the same line are reported and nothing is overwritten', async () => {
    const theirs = lines('# Review a contract', '', 'Ask a lawyer.')
    await author.call(updateAsset, { params: { id: assetId }, body: { bodyMarkdown: theirs } })
    await author.call(publishAsset, { params: { id: assetId } })
    await author.call(submitEntry, { body: { assetId, category: 'DOCUMENTATION', acceptPolicy: true } })
    const { releaseId } = await operator.call(readSubmission, { params: { entryId } })
    await operator.call(approveSubmission, { params: { entryId }, body: { releaseId } })
    const before = await user.call(readAsset, { params: { id: copyId } })
    const refused = await user.send(updateInstall, { params: { id: installId } })
    expect(refused).toMatchObject({
      status: 409,
      body: { errorCode: 'INSTALL_CONFLICT', conflicts: [{ path: 'bodyMarkdown' }] },
    })
    expect(await user.call(readAsset, { params: { id: copyId } })).toEqual(before)
    await user.call(updateInstall, { params: { id: installId }, body: { take: 'theirs' } })
    expect((await user.call(readAsset, { params: { id: copyId } })).bodyMarkdown).toBe(theirs)
  })

  test('a featured entry comes first, with an event for everyone', async () => {
    const theirs = itemAt(streams, 2)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await operator.call(featureEntry, { params: { entryId }, body: { until } })
    const frame = await theirs.until(({ event }) => event === 'marketplace-featured')
    expect(frame.data).toEqual({
      id: expect.any(String),
      type: 'ai-marketplace.featured',
      entryId,
      at: expect.any(String),
      featuredUntil: until,
    })
    const { items } = await other.call(listEntries, { query: { featured: true } })
    expect(items).toMatchObject([{ id: entryId, featured: true, featuredUntil: until }])
  })
})

describe('Refused submissions', () => {
  test('a secret in an attachment is reported with its line before anyone else sees it', async () => {
    const { id: assetId } = await makeAsset(author, { type: 'SKILL', bodyMarkdown: 'Deploys.' })
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    await addFiles(author, assetId, [['scripts/deploy.sh', `#!/bin/sh\n# key\n${key}\n`]])
    await author.call(publishAsset, { params: { id: assetId } })
    const checked = await author.call(checkEntry, { body: { assetId } })
    expect(checked.isSubmittable).toBe(false)
    expect(checked.findings).toContainEqual(
      expect.objectContaining({ severity: 'block', path: 'scripts/deploy.sh', line: 3 }),
    )
    const refused = await author.send(submitEntry, {
      body: { assetId, category: 'OTHER', acceptPolicy: true },
    })
    expect(refused).toMatchObject({ status: 400, body: { errorCode: 'RELEASE_REFUSED' } })
    expect((await operator.call(listSubmissions)).items).toEqual([])
  })

  test('a rejection has a reason and allows a new submission', async () => {
    const { id: assetId } = await makeAsset(author, { bodyMarkdown: 'Do something.' })
    await author.call(publishAsset, { params: { id: assetId } })
    const asset = { assetId, category: 'OTHER', acceptPolicy: true } as const
    const { id } = await author.call(submitEntry, { body: asset })
    const params = { entryId: id }
    const { releaseId } = await operator.call(readSubmission, { params })
    const reason = 'Say in the description what it does.'
    await operator.call(rejectSubmission, { params, body: { releaseId, reason } })
    expect(await author.call(readEntry, { params: { id } })).toMatchObject({
      status: 'REJECTED',
      rejectionReason: reason,
    })
    expect(await author.call(submitEntry, { body: asset })).toMatchObject({ id, status: 'PENDING' })
  })
})
