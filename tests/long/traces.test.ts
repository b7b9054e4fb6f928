import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { dataFolder, endAll, removeFolders, start, until } from '#tests/support/processes.ts'
import { openTraceCollector } from '#tests/support/trace-collector.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

test.each(['api', 'worker'] as const)(
  'the process %s ends in order although its collector never answers',
  async command => {
    const { url, drop } = await freshDatabase()
    const collector = await openTraceCollector()
    collector.replyWith(0)
    const patio = await start(command, {
      DATABASE_URL: url,
      DATA_DIR: dataFolder(),
      DRAIN_SECONDS: '0',
      SIGN_IN_SECRET: 'a secret of this test that is long enough',
      SESSION_KEYS: 't1:a key of this test that is long enough',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    if (command === 'api') await (await fetch(`${patio.url}/api/auth/me`)).arrayBuffer()
    await until('an export has begun', () => collector.requests.length > 0)
    const { code, output } = await patio.stop()
    expect([code, output.includes('shutdown timed out')]).toEqual([0, false])
    await collector.close()
    await drop()
  },
)
