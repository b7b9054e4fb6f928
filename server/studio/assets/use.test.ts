import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '#contract/operation.ts'
import { readAsset } from '#contract/studio/assets.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { countAssetUses, thumbsDownAsset, thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { nowMs } from '#platform/clock.ts'
import { firstId, isId, newId } from '#platform/ids.ts'
import { firstOf, inTurn, itemAt, lastOf } from '#tests/support/elements.ts'
import { insertRows } from '#tests/support/rows.ts'
import { emittedEvents, makeAsset } from '#tests/support/studio/assets.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let author: Person
let people: Person[]
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  author = await organization.person()
  people = await Promise.all(Array.from({ length: 10 }, () => organization.person()))
})
afterAll(() => server.close())

const use = (person: Person, id: string, body?: object) =>
  person.send(useAsset, { params: { id }, body: body as never })

/** Retries while the server is too busy, as clients do. */
async function persist<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const response = await ask()
    if (response.status !== 503) return response
  }
}

describe('POST /assets/:id/use', () => {
  it('counts and records the person and the entity', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const [person] = people as [Person]
    expect(await use(person, id)).toMatchObject({ status: 201, body: { id, usageCount: 1 } })
    expect(await use(person, id, {})).toMatchObject({ status: 201, body: { id, usageCount: 2 } })
    expect(await use(author, id, { entityType: 'opportunity', entityId: '42' })).toMatchObject({
      body: { usageCount: 3 },
    })
    const records = await server.sql(
      'select id, person_id, entity_type, entity_id from asset_use where asset_id = $1 order by id',
      [id],
    )
    expect(records.map(({ id: _, ...rest }) => rest)).toEqual([
      { person_id: person.id, entity_type: null, entity_id: null },
      { person_id: person.id, entity_type: null, entity_id: null },
      { person_id: author.id, entity_type: 'opportunity', entity_id: '42' },
    ])
    expect(records.every(record => isId(record.id as string))).toBe(true)
    const events = await emittedEvents(server, organization.id, id)
    expect(events.slice(1)).toEqual(
      [1, 2, 3].map(usageCount => ({
        name: 'ai-asset.used',
        actor_id: usageCount < 3 ? person.id : author.id,
        data: { assetId: id, usageCount },
      })),
    )
  })

  it('does not change the asset or its time of change', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const before = await author.call(readAsset, { params: { id } })
    await use(author, id)
    expect(await author.call(readAsset, { params: { id } })).toEqual({ ...before, usageCount: 1 })
  })

  it('requires READ access and STUDIO_VIEW only, also for archived assets', async () => {
    const { id } = await makeAsset(author)
    expect((await use(firstOf(people), id)).status).toBe(404)
    expect((await use(firstOf(people), newId())).status).toBe(404)
    expect(await server.sql('select 1 from asset_use where asset_id = $1', [id])).toEqual([])
    await author.call(archiveAsset, { params: { id } })
    expect((await use(author, id)).status).toBe(201)
    const limited = await organization.person({ permissions: ['STUDIO_EDIT'] })
    expect((await use(limited, id)).body).toMatchObject({ errorCode: 'PERMISSION_DENIED' })
  })

  it.each([
    ['a number', { entityId: 1 }],
    ['an unknown field', { entity: 'x' }],
    ['too much', { entityType: 'x'.repeat(65) }],
  ])('rejects %s', async (_, body) => {
    const { id } = await makeAsset(author)
    expect((await use(author, id, body)).body).toMatchObject({ errorCode: 'VALIDATION_ERROR' })
  })

  it('counts 1,000 concurrent uses exactly', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const counts: number[] = []
    for (let round = 0; round < 10; round++) {
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, n) => persist(() => use(inTurn(people, n), id))),
      )
      counts.push(...responses.map(({ body }) => body.usageCount))
    }
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1))
    const [stored] = await server.sql('select count(*)::integer as n from asset_use where asset_id = $1', [
      id,
    ])
    expect(stored).toEqual({ n: 1_000 })
  })
})

describe('POST /assets/:id/thumbs-up and thumbs-down', () => {
  const thumb = (person: Person, id: string, up: boolean) =>
    person.send(
      (up ? thumbsUpAsset : thumbsDownAsset) as Operation<
        { params: { id: string } },
        { thumbsUp: number; thumbsDown: number }
      >,
      {
        params: { id },
      },
    )

  it('follow the four rules', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const [one, two] = people as [Person, Person]
    const steps: [Person, boolean, up: number, down: number][] = [
      [one, true, 1, 0],
      [one, true, 1, 0],
      [two, false, 1, 1],
      [two, false, 1, 1],
      [one, false, 0, 2],
      [two, true, 1, 1],
      [one, true, 2, 0],
    ]
    for (const [person, up, thumbsUp, thumbsDown] of steps) {
      expect(await thumb(person, id, up)).toMatchObject({ status: 201, body: { id, thumbsUp, thumbsDown } })
    }
    expect(await one.call(readAsset, { params: { id } })).toMatchObject({
      thumbsUp: 2,
      myReaction: 'POSITIVE',
    })
    expect(await itemAt(people, 2).call(readAsset, { params: { id } })).toMatchObject({ myReaction: null })
    await thumb(one, id, false)
    expect(await one.call(readAsset, { params: { id } })).toMatchObject({
      thumbsDown: 1,
      myReaction: 'NEGATIVE',
    })
    // One event for each change
    const events = (await emittedEvents(server, organization.id, id)).slice(1)
    expect(events.map(({ data }) => [data.thumbsUp, data.thumbsDown])).toEqual([
      [1, 0],
      [1, 1],
      [0, 2],
      [1, 1],
      [2, 0],
      [1, 1],
    ])
    expect(events.every(({ name }) => name === 'ai-asset.reacted')).toBe(true)
  })

  it('require READ access and STUDIO_VIEW only', async () => {
    const { id } = await makeAsset(author)
    const [stranger] = people as [Person]
    for (const up of [true, false]) {
      expect((await thumb(stranger, id, up)).status).toBe(404)
      expect((await thumb(stranger, newId(), up)).status).toBe(404)
    }
    expect(await server.sql('select 1 from asset_reaction where asset_id = $1', [id])).toEqual([])
    await author.call(archiveAsset, { params: { id } })
    expect((await thumb(author, id, true)).status).toBe(201)
  })

  it('match the records after 200 concurrent mixed reactions, many by the same person', async () => {
    const { id } = await makeAsset(author, { visibility: 'ORGANIZATION' })
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        persist(() => thumb(itemAt(people, Math.floor(n / 20)), id, (n * 13) % 5 < 2)),
      ),
    )
    expect(responses.every(({ status }) => status === 201)).toBe(true)
    const [records] = await server.sql(
      `select (count(*) filter (where positive))::integer as "thumbsUp",
         (count(*) filter (where not positive))::integer as "thumbsDown" from asset_reaction where asset_id = $1`,
      [id],
    )
    const { thumbsUp, thumbsDown } = await author.call(readAsset, { params: { id } })
    expect({ thumbsUp, thumbsDown }).toEqual(records)
    expect(thumbsUp + thumbsDown).toBe(10)
    expect(
      responses.every(
        ({ body }) => body.thumbsUp + body.thumbsDown <= 10 && body.thumbsUp >= 0 && body.thumbsDown >= 0,
      ),
    ).toBe(true)
  })
})

describe('GET /assets/:id/uses', () => {
  it('counts the uses of each day for those who may read the asset, and no uses of other assets', async () => {
    const [asset, other] = await Promise.all([makeAsset(author), makeAsset(author)])
    const dayMs = 86_400_000
    const today = Math.floor(nowMs() / dayMs) * dayMs
    // the first and the last moment of days, and the day before the reply begins
    const times = [
      today,
      today - 1,
      today - dayMs,
      today - dayMs - 1,
      today - 6 * dayMs,
      today - 6 * dayMs - 1,
    ]
    await insertRows(
      server,
      'asset_use',
      times.map(time => ({
        organization_id: organization.id,
        id: `${firstId(time)}${newId().slice(9)}`,
        asset_id: asset.id,
        person_id: author.id,
        created_at: new Date(time),
      })),
    )
    await use(author, other.id)
    const params = { id: asset.id }
    const { days } = await author.call(countAssetUses, { params, query: { days: 7 } })
    expect(days.map(({ uses }) => uses)).toEqual([1, 0, 0, 0, 1, 2, 1])
    expect(lastOf(days).day).toBe(new Date(today).toISOString().slice(0, 10))
    expect((await author.call(countAssetUses, { params })).days).toHaveLength(30)
    // a private asset of somebody else
    expect((await firstOf(people).send(countAssetUses, { params })).status).toBe(404)
  })
})
