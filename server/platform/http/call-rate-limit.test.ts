import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { reportError } from '#contract/error-reports/errors.ts'
import { getOrganization } from '#contract/identity/organization.ts'
import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { limits, requestsPerMinute } from '#contract/limits.ts'
import { listAssets, readAsset } from '#contract/studio/assets.ts'
import type { Answer } from '#sdk/client.ts'
import { findIn } from '#tests/support/elements.ts'
import { createReporter } from '#tests/support/error-reports/reports.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'
import { insertApplicationKey } from '#tests/support/integrations/applications.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { openCallRateLimiter } from './call-rate-limit.ts'

/** A twentieth of each plan: 30 calls in a minute on FREE, 60 on TEAM, 600 on ENTERPRISE. */
const factor = 0.05
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ceilingFactor: factor })
})
afterAll(() => server?.close())

const perMinute = (plan: keyof typeof requestsPerMinute) => requestsPerMinute[plan] * factor
const quotaOf = ({ headers }: Pick<Answer<unknown>, 'headers'>) => ({
  policy: headers.get('ratelimit-policy'),
  remaining: Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
  resetSeconds: Number(/t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
})

/** Sends until a call is refused. */
async function exhaust(send: () => Promise<Answer<unknown>>): Promise<Answer<unknown>[]> {
  const answers: Answer<unknown>[] = []
  while (!answers.some(({ status }) => status === 429))
    answers.push(...(await Promise.all(Array.from({ length: 20 }, send))))
  return answers
}

describe('the rate limit of a caller', () => {
  test.each(Object.entries(requestsPerMinute))(
    '%s lets the %i calls of a minute pass at once',
    (_plan, calls) => {
      // a moment: calls come back as time goes by
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const { take } = openCallRateLimiter(1)
      const ceiling = { name: 'default', perMinute: calls }
      for (let call = 1; call <= calls; call++) take('caller', ceiling)
      expect(() => take('caller', ceiling)).toThrow(expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }))
      expect(() => take('another', ceiling)).not.toThrow()
    },
  )

  test('is as large for operators', async () => {
    const organization = await server.organization({ plan: 'FREE' })
    const person = await organization.person()
    const answers = await Promise.all(
      Array.from({ length: perMinute('FREE') }, () => person.send(getOrganization)),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const refused = findIn(await exhaust(() => person.send(getOrganization)), ({ status }) => status === 429)
    expect(refused.body).toMatchObject({ limit: perMinute('FREE'), windowSeconds: 60 })
    expect(quotaOf(refused)).toEqual({
      policy: `"default";q=${perMinute('FREE')};w=60`,
      remaining: 0,
      resetSeconds: expect.any(Number),
    })
    expect(refused.headers.get('retry-after')).toBe(String(quotaOf(refused).resetSeconds))
  })

  test('is separate for a person in each organization, by its plan', async () => {
    const small = await server.organization({ plan: 'FREE' })
    const large = await server.organization({ plan: 'ENTERPRISE' })
    const here = await small.person()
    const there = await large.joined(here)
    await exhaust(() => here.send(getOrganization))
    const answer = await there.send(getOrganization)
    expect([answer.status, quotaOf(answer)]).toEqual([
      200,
      {
        policy: `"default";q=${perMinute('ENTERPRISE')};w=60`,
        remaining: perMinute('ENTERPRISE') - 1,
        resetSeconds: 1,
      },
    ])
    expect((await (await small.person()).send(getOrganization)).status).toBe(200)
  })

  test('counts calls without an organization separately', async () => {
    const organization = await server.organization({ plan: 'FREE' })
    const person = await organization.person()
    const session = server.client(await signInToken(server, person))
    await exhaust(() => person.send(getOrganization))
    const chosen = await session.send(listOwnOrganizations)
    expect([chosen.status, quotaOf(chosen).remaining]).toEqual([200, perMinute('FREE') - 1])

    const other = await organization.person()
    const otherSession = server.client(await signInToken(server, other))
    await exhaust(() => otherSession.send(listOwnOrganizations))
    expect((await other.send(getOrganization)).status).toBe(200)
  })

  test('is separate for each key', async () => {
    const organization = await server.organization({ plan: 'TEAM' })
    const source = await createReporter(server, organization)
    const { key } = await insertApplicationKey(server, source)
    const answers = await exhaust(() => source.client.send(readOwnApplication))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(perMinute('TEAM'))
    const other = await source.client.send(readOwnApplication, { headers: { 'X-Api-Key': key } })
    expect([other.status, quotaOf(other).remaining]).toEqual([200, perMinute('TEAM') - 1])
  })

  test('is in the headers of every reply, whatever its status', async () => {
    const organization = await server.organization({ plan: 'FREE' })
    const person = await organization.person({ permissions: ['STUDIO_VIEW'] })
    const answers = [
      await person.send(listAssets),
      await person.send(listAssets, { query: { limit: 0 } }),
      await person.send(readAsset, { params: { id: 'cnone' } }),
      await person.send(createPersonalToken, { body: {} as never }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 400])
    for (const [at, answer] of answers.entries()) {
      const { policy, remaining } = quotaOf(answer)
      expect(policy?.split(', ')[0]).toBe(`"default";q=${perMinute('FREE')};w=60`)
      expect(perMinute('FREE') - remaining).toBeLessThanOrEqual(at + 1)
    }
  })

  test('has no headers if it is turned off', async () => {
    const { take } = openCallRateLimiter(0)
    expect(take('caller', { name: 'default', perMinute: 600 })).toBeUndefined()
  })
})

describe('error reports', () => {
  const body = { message: 'It broke', module: 'billing' }

  test('have their own rate limit: a storm does not affect the other calls of the key', async () => {
    const plain = await startTestServer({ ceilingFactor: 1 })
    const source = await createReporter(plain, await plain.organization({ plan: 'TEAM' }))
    const first = await source.client.send(reportError, { body })
    expect(first.headers.get('ratelimit-policy')).toContain(
      `"error-reports";q=${limits.errorReportsPerHour};w=3600`,
    )
    expect(first.headers.get('ratelimit')).toMatch(/"error-reports";r=99\d;t=\d+/)
    // over few connections: a thousand new ones at once would be a test of the system's
    const statuses: number[] = []
    const storm = async () => {
      for (let n = 0; n < (limits.errorReportsBurst + 100) / 20; n++)
        statuses.push((await source.client.send(reportError, { body })).status)
    }
    await Promise.all(Array.from({ length: 20 }, storm))
    expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(
      limits.errorReportsBurst - 1,
    )
    expect(statuses).toContain(429)
    const other = await source.client.send(readOwnApplication)
    expect([other.status, quotaOf(other).remaining]).toEqual([200, requestsPerMinute.TEAM - 1])
    await plain.close()
  })

  test('are accepted after the other calls of the key are used up', async () => {
    const source = await createReporter(server, await server.organization({ plan: 'TEAM' }))
    await exhaust(() => source.client.send(readOwnApplication))
    expect((await source.client.send(reportError, { body })).status).toBe(200)
  })

  test('that are refused are limited as well', async () => {
    const source = await createReporter(server, await server.organization({ plan: 'TEAM' }))
    const most = limits.errorReportCallsPerMinute * factor
    const answers = await exhaust(() => source.client.send(reportError, { body: {} as never }))
    const refused = answers.filter(({ status }) => status === 400).length
    expect(refused).toBeGreaterThanOrEqual(most)
    expect(findIn(answers, ({ status }) => status === 429).body).toMatchObject({
      limit: most,
      windowSeconds: 60,
    })
  })
})
