import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportError } from '#contract/error-reports/errors.ts'
import { createReporter, listErrorsOf } from '#tests/support/error-reports/reports.ts'
import { endAll, start } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  endAll()
  await server?.close()
})

test('kill -9 of an API process loses no acknowledged report and counts none twice', async () => {
  const source = await createReporter(server, await server.organization())
  const { databaseUrl, dataDir, signInSecret, sessionKeys } = server.config
  const api = await start('api', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    ERROR_REPORTS_PER_HOUR: '0',
  })
  const client = source.at(api.url)
  let [sent, answered] = [0, 0]
  const enough = Promise.withResolvers<void>()
  async function storm(n: number): Promise<void> {
    for (;;) {
      sent++
      await client.call(reportError, { body: { message: 'It broke', module: `m${n % 3}` } })
      if (++answered === 400) enough.resolve()
    }
  }
  const storms = Promise.allSettled(Array.from({ length: 24 }, (_, n) => storm(n)))
  await enough.promise
  await api.stop('SIGKILL')
  await storms
  const recorded = (await listErrorsOf(source)).reduce((sum, { count }) => sum + count, 0)
  expect(answered).toBeGreaterThanOrEqual(400)
  expect(recorded).toBeGreaterThanOrEqual(answered)
  expect(recorded).toBeLessThanOrEqual(sent)
})
