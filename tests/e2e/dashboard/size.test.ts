import { beforeAll, expect, test } from 'vitest'
import { createDepartment } from '#contract/identity/units.ts'
import { makeInvoice } from '#tests/support/billing/invoices.ts'
import { makeClient, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { addressOf, openDashboard } from '#tests/support/dashboard.ts'
import { sizeUntilVisible } from '#tests/support/dashboard-size.ts'
import type { Person } from '#tests/support/test-server.ts'
import { dashboardBytes } from '../../../bench/claims.ts'

const dashboard = openDashboard()
const row = 'main [role=row][data-row-key]'
/** Screens that people open first, and what shows that they work. */
const screens = {
  '': 'main h1',
  '/settings/members': row,
  '/settings/units': row,
  '/leads': row,
  '/clients': row,
  '/invoices': row,
}
let person: Person

beforeAll(async () => {
  person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  await person.call(createDepartment, { body: { name: 'Design' } })
  await makeLead(person)
  await makeClient(person)
  await makeInvoice(person, { draft: true })
})

test.each(Object.entries(screens))(
  'the screen %s works after at most 190 KB of script (165 KB as Brotli), 12 KB of styles and 53 KB of fonts',
  async (path, visible) => {
    const address = await addressOf(dashboard.server, person, path)
    const page = await dashboard.open('/readyz', { person })
    const size = await sizeUntilVisible(page, address, visible)
    expect(size.script).toBeLessThanOrEqual(1_000 * dashboardBytes['scripts-gzip'].most)
    expect(size.scriptBrotli).toBeLessThanOrEqual(1_000 * dashboardBytes['scripts-brotli'].most)
    expect(size.style).toBeLessThanOrEqual(1_000 * dashboardBytes.styles.most)
    expect(size.font).toBeLessThanOrEqual(1_000 * dashboardBytes.fonts.most)
    // over HTTP/1.1 a browser loads six files at once
    expect(size.scriptFiles).toBeLessThanOrEqual(20)
  },
)
