import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined, firstOf } from '#tests/support/elements.ts'
import { plantUsed } from '#tests/support/rates.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { codeOf, malformed, type RawReply, rawRequest, sendRaw } from './ask.ts'
import { callsOf } from './fixtures.ts'
import { type Home, openHome, ownApplication } from './home.ts'
import { type OperationCase, operationCases } from './operations.ts'
import { everything } from './rows.ts'
import { scrambled } from './tenants.ts'
import { changed, textsIn } from './texts.ts'

const all = (await operationCases()).filter(({ contract }) => contract.limit?.counts === 'successes')
let server: TestServer
let home: Home
beforeAll(async () => {
  server = await startTestServer()
  home = await openHome(server)
})
afterAll(() => server?.close())

test('the daily limits of the marketplace and the hourly limit of chat messages count successes', () => {
  const limits = all.map(({ contract: { limit } }) => defined(limit))
  const timesIn = (seconds: number) =>
    limits.filter(({ windowSeconds }) => windowSeconds === seconds).map(({ times }) => times)
  expect(timesIn(86_400).sort((a, b) => a - b)).toEqual([10, 20, 20, 40, 100, 200])
  expect(timesIn(3_600)).toContain(600)
  expect(new Set(limits.map(({ bucket }) => bucket)).size).toBe(limits.length)
})

describe.each(all)('$route', operation => {
  const { bucket, times, windowSeconds } = defined(operation.contract.limit)
  const who = async () => {
    const { id } = operation.auth === 'apiKey' ? await ownApplication(server, home.owner) : home.owner
    return `${home.organization.id}/${id}`
  }
  const used = async () =>
    (
      await server.sql<{ used: number }>('select used from rate_window where bucket = $1 and caller = $2', [
        bucket,
        await who(),
      ])
    )[0]?.used ?? 0
  const send = async (call: Awaited<ReturnType<typeof callsOf>>[number]): Promise<RawReply> =>
    sendRaw(
      server.url,
      rawRequest(operation as OperationCase, call, await home.credential(operation as OperationCase)),
    )

  test('counts successful calls, and no refused ones', async () => {
    const call = firstOf(await callsOf(operation.name, home))
    await server.sql('delete from rate_window')
    for (const { path, value } of textsIn(call).filter(
      ({ path }) => path[0] === 'params' || /Id$/.test(path.at(-1) as string),
    )) {
      const { status } = await send(changed(call, path, scrambled(value)))
      expect([path, status]).toEqual([path, 404])
    }
    expect(await used()).toBe(0)
    expect((await send(call)).status).toBe(operation.contract.status)
    expect(await used()).toBe(1)
  })

  test('refuses calls beyond the limit, without a change', async () => {
    const call = firstOf(await callsOf(operation.name, home))
    await server.sql('delete from rate_window')
    await plantUsed(server, { bucket, caller: await who(), used: times, windowSeconds })
    await server.relayed()
    const before = await everything(server)
    const answer = await send(call)
    expect([answer.status, codeOf(answer), malformed(answer)]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      undefined,
    ])
    const {
      retryAfterSeconds,
      limit,
      used: usedCalls,
      resetAt,
    } = JSON.parse(answer.text) as Record<string, number & string>
    expect([limit, usedCalls]).toEqual([times, times])
    expect(Date.parse(defined(resetAt)) - Date.now()).toBeLessThanOrEqual(windowSeconds * 1_000)
    expect(answer.headers.get('retry-after')).toBe(String(retryAfterSeconds))
    expect(answer.headers.get('ratelimit-policy')).toBe(`"${bucket}";q=${times};w=${windowSeconds}`)
    await server.relayed()
    expect(await everything(server)).toEqual(before)
    expect(await used()).toBe(times)
  })
})
