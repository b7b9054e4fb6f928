import { expect, test } from 'vitest'
import { addressOf, openDashboard } from '#tests/support/dashboard.ts'
import { sizeUntilVisible } from '#tests/support/dashboard-size.ts'
import { dashboardBytes } from '../../../bench/claims.ts'

const dashboard = openDashboard()

test('the first list works after at most 190 KB of script (165 KB as Brotli, 20 files) and 12 KB of styles', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  const members = await addressOf(dashboard.server, person, '/settings/members')
  const page = await dashboard.open('/readyz', { person })
  const size = await sizeUntilVisible(page, members, '[role=row][data-row-key]')
  expect(size.script).toBeLessThanOrEqual(1_000 * dashboardBytes['scripts-gzip'].most)
  expect(size.scriptBrotli).toBeLessThanOrEqual(1_000 * dashboardBytes['scripts-brotli'].most)
  // over HTTP/1.1 a browser loads six files at once
  expect(size.scriptFiles).toBeLessThanOrEqual(20)
  expect(size.style).toBeLessThanOrEqual(1_000 * dashboardBytes.styles.most)
})
