import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAudit } from '#contract/identity/audit-log.ts'
import { updateOrganization } from '#contract/identity/organization.ts'
import { createStreamToken } from '#contract/identity/sessions.ts'
import * as entries from '#contract/marketplace/entries.ts'
import * as installs from '#contract/marketplace/installs.ts'
import * as provenance from '#contract/marketplace/provenance.ts'
import * as reviewQueue from '#contract/marketplace/review-queue.ts'
import * as reviews from '#contract/marketplace/reviews.ts'
import type { Operation } from '#contract/operation.ts'
import { createAsset, readAsset, updateAsset } from '#contract/studio/assets.ts'
import { listFiles } from '#contract/studio/files.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { exportAsset } from '#contract/studio/packages.ts'
import { listVersions } from '#contract/studio/versions.ts'
import type { CallInput } from '#sdk/client.ts'
import { findIn, firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import { type EventStream, openStream } from '#tests/support/event-stream.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { filesIn } from '#tests/support/studio/zip.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// Two companies and a third publish, install, rate, mark, report and are reviewed. Then every reply, frame,
// package, audit row and log line is searched for another company's data

type Company = {
  name: string
  organizationId: string
  people: Person[]
  /** The replies to its people, and their streams. */
  seen: string[]
  /** Ids and names that other organizations must not see. */
  own: Set<string>
  streams: EventStream[]
  called: Set<string>
}

let server: TestServer
let companies: Company[]
let operator: Person
const log: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  operator = await server.operator()
  companies = await Promise.all(['Zeppelin Foundry', 'Walrus Bakery', 'Quokka Press'].map(found))
})
afterAll(() => server.close())

async function found(name: string, index: number): Promise<Company> {
  const organization = await server.organization({ name, features: ['marketplace'] })
  const people = []
  for (const [role, first] of [
    ['OWNER', 'Olivia'],
    ['ADMIN', 'Matti'],
    ['MEMBER', 'Nadia'],
  ] as const) {
    const email = `${first.toLowerCase()}@company-${index}.example`
    people.push(await organization.person({ role, name: `${first} of ${name}`, email }))
  }
  const own = new Set([name, organization.id])
  for (const { id, name: its, email } of people) for (const word of [id, its, email]) own.add(word)
  const company: Company = {
    name,
    organizationId: organization.id,
    people,
    seen: [],
    own,
    streams: [],
    called: new Set(),
  }
  for (const person of people) {
    const { token } = await person.call(createStreamToken)
    const stream = await openStream(`${server.url}/api/studio/marketplace/events?token=${token}`)
    await stream.until(({ event }) => event === 'connected')
    company.streams.push(stream)
  }
  return company
}

/** Calls as a company, and records the reply. */
async function as<In, Out>(
  company: Company,
  person: number,
  contract: Operation<In, Out>,
  input?: CallInput<In>,
) {
  const answer = await itemAt(company.people, person).send(contract, input)
  company.called.add(`${contract.method} ${contract.path}`)
  company.seen.push(`${contract.method} ${contract.path} ${[...answer.headers].join(' ')} ${answer.text}`)
  return answer
}
async function ok<In, Out>(
  company: Company,
  person: number,
  contract: Operation<In, Out>,
  input?: CallInput<In>,
) {
  const { status, body, text } = await as(company, person, contract, input)
  expect(status, `${contract.method} ${contract.path} ${text}`).toBeLessThan(300)
  return body
}

/** An approved asset with its private data. */
async function published(company: Company): Promise<{ assetId: string; entryId: string }> {
  const asset = await ok(company, 1, createAsset, {
    body: {
      type: 'SKILL',
      name: 'Weather report',
      bodyMarkdown: 'Look out of the window.',
      visibility: 'ORGANIZATION',
    },
  })
  await addFiles(itemAt(company.people, 1), asset.id, [['notes.md', 'Clouds.']])
  await ok(company, 1, publishAsset, { params: { id: asset.id } })
  const { id: entryId } = await ok(company, 1, entries.submitEntry, {
    body: { assetId: asset.id, category: 'OTHER', acceptPolicy: true },
  })
  await keepPrivate(company, asset.id)
  await approve(entryId)
  return { assetId: asset.id, entryId }
}
async function approve(entryId: string): Promise<void> {
  const params = { entryId }
  const { releaseId } = await operator.call(reviewQueue.startReview, { params })
  await operator.call(reviewQueue.approveSubmission, { params, body: { releaseId } })
}
async function keepPrivate(company: Company, assetId: string): Promise<void> {
  const params = { id: assetId }
  const versions = await itemAt(company.people, 1).call(listVersions, { params })
  const files = await itemAt(company.people, 1).call(listFiles, { params: { ...params, version: 'current' } })
  for (const id of [assetId, ...versions.items.map(v => v.id), ...files.items.map(f => f.id)])
    company.own.add(id)
}

/** Everything that one company does with the entry of another, and with its own results. */
async function visit(visitor: Company, host: Company, entryId: string): Promise<void> {
  const params = { id: entryId }
  const search = { query: { limit: 100, search: 'weather' } }
  for (const person of [0, 1, 2]) {
    await ok(visitor, person, entries.listEntries, { query: { limit: 100 } })
    await ok(visitor, person, entries.listEntries, search)
    await ok(visitor, person, entries.readEntry, { params })
    await ok(visitor, person, entries.readEntryFile, { params, query: { path: 'notes.md' } })
  }
  const installed = await ok(visitor, 1, entries.installEntry, {
    params,
    body: { acknowledgeDisclaimer: true, customName: `Copy of ${visitor.name}` },
  })
  visitor.own.add(installed.installId)
  visitor.own.add(`Copy of ${visitor.name}`)
  await keepPrivate(visitor, installed.installedAssetId)
  await ok(visitor, 1, readAsset, { params: { id: installed.installedAssetId } })
  const exported = await as(visitor, 1, exportAsset, { params: { id: installed.installedAssetId } })
  for (const [path, bytes] of Object.entries(await filesIn(Buffer.from(exported.bytes))))
    visitor.seen.push(`${path} ${bytes.toString('utf8')}`)
  const written = await ok(visitor, 1, reviews.writeReview, { params, body: { rating: 4, comment: 'Rain.' } })
  await ok(visitor, 1, reviews.writeReview, { params, body: { rating: 3, comment: 'More rain.' } })
  await ok(visitor, 1, reviews.updateReview, { params: { reviewId: written.id }, body: { rating: 5 } })
  const reported = await ok(visitor, 2, entries.reportEntry, {
    params,
    body: { reason: `It rains too much at ${visitor.name}.` },
  })
  visitor.own.add(reported.id)
  for (const company of companies) {
    for (const person of [0, 2]) {
      const marked = await as(company, person, reviews.markHelpful, { params: { reviewId: written.id } })
      expect(marked.status).toBe(201)
    }
    await ok(company, 0, reviews.listReviews, { params })
  }
  await ok(visitor, 2, reviews.unmarkHelpful, { params: { reviewId: written.id } })
  await ok(visitor, 1, reviews.listMyReviews)
  await ok(visitor, 1, installs.listInstalls)
  await ok(visitor, 1, provenance.readInstall, { params: { id: installed.installId } })
  await ok(visitor, 1, provenance.readProvenanceKey)
  await ok(visitor, 0, installs.listEntryInstalls, { params })
  await as(host, 0, installs.listEntryInstalls, { params })
  // and refused calls
  for (const [contract, input] of [
    [entries.updateEntry, { params, body: { category: 'FINANCE' } }],
    [entries.withdrawEntry, { params }],
    [installs.updateInstall, { params: { id: installed.installId } }],
  ] as unknown as [Operation, CallInput<unknown>][]) {
    const person = contract === (installs.updateInstall as Operation) ? 2 : 1
    expect((await as(visitor, person, contract, input)).status).toBeGreaterThanOrEqual(400)
  }
  expect((await as(host, 1, installs.updateInstall, { params: { id: installed.installId } })).status).toBe(
    404,
  )
  expect(
    (await as(host, 1, reviews.updateReview, { params: { reviewId: written.id }, body: { rating: 1 } }))
      .status,
  ).toBe(403)
  expect((await as(host, 1, reviews.removeReview, { params: { reviewId: written.id } })).status).toBe(403)
}

test('no organization sees data of another one', async () => {
  const [zeppelin, walrus, quokka] = companies as [Company, Company, Company]
  const alias = 'Weather people'
  await ok(quokka, 0, updateOrganization, { body: { publisherName: alias } as never })
  const places: [Company, { assetId: string; entryId: string }][] = []
  for (const company of companies) places.push([company, await published(company)])
  for (const [host, { entryId }] of places) {
    for (const visitor of companies) if (visitor !== host) await visit(visitor, host, entryId)
  }
  // another version for the copies
  for (const [host, { assetId, entryId }] of places) {
    const params = { id: assetId }
    await ok(host, 1, updateAsset, { params, body: { bodyMarkdown: 'Look out of both windows.' } })
    await ok(host, 1, publishAsset, { params })
    await ok(host, 1, entries.checkEntry, { body: { assetId } })
    const body = { assetId, category: 'OTHER', acceptPolicy: true } as const
    await ok(host, 1, entries.submitEntry, { body })
    await ok(host, 1, entries.updateEntry, { params: { id: entryId }, body: { tags: ['Weather'] } })
    await keepPrivate(host, assetId)
    await approve(entryId)
    await operator.call(reviewQueue.featureEntry, {
      params: { entryId },
      body: { until: new Date(Date.now() + 3_600_000).toISOString() },
    })
  }
  for (const company of companies) {
    for (const { installId } of (await ok(company, 1, installs.listInstalls)).items)
      await ok(company, 1, installs.updateInstall, { params: { id: installId } })
  }
  const reports = await operator.call(reviewQueue.listEntryReports, { query: { limit: 100 } })
  for (const { id } of reports.items) {
    await operator.call(reviewQueue.settleEntryReport, {
      params: { reportId: id },
      body: { status: 'DISMISSED' },
    })
  }
  log.push(JSON.stringify(reports))
  for (const [host, { entryId }] of places) {
    for (const company of companies) {
      for (const review of (await ok(company, 0, reviews.listReviews, { params: { id: entryId } })).items) {
        if (review.userId) continue
        expect(Object.keys(review)).not.toEqual(expect.arrayContaining(['userId', 'organizationId']))
        expect(review.user).toEqual({ name: 'Usuario de otra empresa' })
      }
    }
    for (const company of companies) {
      if (company === host) continue
      const mine = findIn(
        (await ok(company, 1, reviews.listMyReviews)).items,
        item => item.entryId === entryId,
      )
      await ok(company, 1, reviews.removeReview, { params: { reviewId: mine.id } })
    }
    await operator.call(reviewQueue.unfeatureEntry, { params: { entryId } })
    await ok(host, 1, entries.withdrawEntry, { params: { id: entryId } })
    for (const company of companies) {
      if (company !== host)
        expect((await as(company, 0, entries.readEntry, { params: { id: entryId } })).status).toBe(404)
    }
  }
  for (const company of companies) await ok(company, 0, listAudit, { query: { limit: 100 } })

  // each company called every operation
  const promised = [entries, installs, reviews, provenance]
    .flatMap(module => Object.values(module) as Partial<Operation>[])
    .filter(it => it?.method && it.path)
    .map(it => `${it.method} ${it.path}`)
  for (const { called } of companies) expect([...called]).toEqual(expect.arrayContaining(promised))

  await server.relayed()
  const last = await server.sql<{ seq: number }>(
    `select max(seq)::int as seq from event where organization_id = 'marketplace'`,
  )
  for (const { streams } of companies) {
    // public events reach everybody: the last unfeature is among them
    for (const stream of streams) {
      await stream.until(
        ({ event, data }) =>
          event === 'marketplace-unfeatured' && data?.entryId === lastOf(places)[1].entryId,
      )
    }
  }
  expect(firstOf(last).seq).toBeGreaterThan(50)
  for (const company of companies) {
    const frames = company.streams.flatMap(({ frames }, index) => frames.map(frame => ({ index, frame })))
    for (const { index, frame } of frames) {
      // a stream starts with the person's own id, and contains nothing else about people
      const { userId, ...rest } = frame.data ?? {}
      if (userId) expect(userId).toBe(itemAt(company.people, index).id)
      for (const word of company.own) expect(JSON.stringify(rest)).not.toContain(word)
      company.seen.push(JSON.stringify(frame))
    }
    for (const stream of company.streams) stream.close()
  }

  const logged = server.logged()
  for (const company of companies) {
    const others = companies.filter(other => other !== company)
    for (const other of others) {
      for (const word of other.own) {
        const where = company.seen.filter(text => text.includes(word)).map(text => text.slice(0, 300))
        expect({ seenBy: company.name, word, of: other.name, where }).toEqual(
          expect.objectContaining({ where: [] }),
        )
      }
    }
    for (const { name, email } of company.people) {
      expect(logged).not.toContain(name)
      expect(logged).not.toContain(email)
    }
    expect(logged).not.toContain(company.name)
    // operators do not see who reported
    for (const text of log) for (const { id } of company.people) expect(text).not.toContain(id)
  }
  // the only data that a publisher chose to show
  expect(zeppelin.seen.join()).toContain(alias)
  expect(walrus.seen.join()).toContain('Otra empresa')
})
