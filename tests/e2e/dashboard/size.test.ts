import { expect, test } from 'vitest'
import { addressOf, openDashboard } from '#tests/support/dashboard.ts'
import { sizeUntilVisible } from '#tests/support/dashboard-size.ts'

const dashboard = openDashboard()

test('the first list works after at most 190 KB of script and 12 KB of styles', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  const members = await addressOf(dashboard.server, person, '/settings/members')
  const page = await dashboard.open('/readyz', { person })
  const { script, style } = await sizeUntilVisible(page, members, '[role=row][data-row-key]')
  expect(script).toBeLessThan(190 * 1024)
  expect(style).toBeLessThan(12 * 1024)
})
