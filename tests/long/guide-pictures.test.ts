import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import { createInvoiceOfUser } from '#contract/billing/invoices.ts'
import { createLead } from '#contract/crm/leads.ts'
import { installEntry, listEntries } from '#contract/marketplace/entries.ts'
import { newId } from '#platform/ids.ts'
import { type Client, connect } from '#sdk/client.ts'
import { firstRun } from '#server/first-run.ts'
import type { DemoFile } from '#server/identity/first-run.ts'
import { openDashboard, seeContent } from '#tests/support/dashboard.ts'
import { findIn, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { insertSessions } from '#tests/support/identity/people.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'

// the pictures of the guides, from the demo data; PICTURES=write stores them in docs/images
const images = join(import.meta.dirname, '../../docs/images')
const dashboard = openDashboard()
let owner: { id: string; sessionId: string }
let person: Client
/** The application whose users have cards. */
let website: { id: string; client: Client }
let organizationId: string
let address: string

beforeAll(async () => {
  const { server } = dashboard
  const { config, sql, url } = server
  await firstRun({ ...config, demo: true }, () => {})
  const demo = JSON.parse(readFileSync(join(config.dataDir, 'demo.json'), 'utf8')) as DemoFile
  const organization = firstOf(demo.organizations)
  organizationId = organization.id
  const { id, key } = itemAt(organization.applications, 1)
  website = { id, client: connect(url, { apiKey: key }) }
  owner = { id: findIn(organization.people, ({ role }) => role === 'OWNER').id, sessionId: newId() }
  await insertSessions({ sql }, [{ sessionId: owner.sessionId, personId: owner.id }])
  const row = only(
    await sql<{ address: string }>('select address from organization_address where leads_to = $1', [
      organizationId,
    ]),
  )
  address = `/o/${row.address}`
  const reply = await fetch(`${url}/api/auth/token?organizationId=${organizationId}`, {
    headers: { authorization: `Bearer ${await signInToken(server, owner)}` },
  })
  const { token } = (await reply.json()) as { token: string }
  person = connect(url, { token })
})

async function open(path: string, isSignedIn = true): Promise<Page> {
  const page = await dashboard.open(path, isSignedIn ? { person: owner } : {})
  await page.setViewportSize({ width: 1200, height: 750 })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await seeContent(page)
  return page
}

async function store(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  if (process.env.PICTURES === 'write') await page.screenshot({ path: join(images, `${name}.png`) })
}

test('sign-in: the ways in', async () => {
  const page = await open('/sign-in', false)
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await store(page, 'sign-in')
})

test('budgets: a signed budget with its signature and the verdict', async () => {
  const budget = only(
    await dashboard.server.sql<{ id: string }>(
      `select id from budget where organization_id = $1 and status = 'SIGNED'`,
      [organizationId],
    ),
  )
  const page = await open(`${address}/budgets/${budget.id}?tab=signing`)
  await page.getByText('Valid', { exact: true }).waitFor()
  await store(page, 'signing')
})

test('card payments: a user with a card and its authorization', async () => {
  const page = await open(`${address}/payments/authorizations?application=${website.id}&open=harbour`)
  const sheet = page.getByRole('complementary')
  await sheet.getByText('4242').first().waitFor()
  await store(page, 'authorization')
})

test('charges: a charge that collected an invoice', async () => {
  const { id } = await website.client.call(createInvoiceOfUser, {
    body: { userId: 'harbour', lines: [{ description: 'Plan Estudio', unitPriceCents: 4_900 }] },
  })
  const { status } = await website.client.call(chargeInvoice, {
    params: { id },
    body: { userId: 'harbour', idempotencyKey: `charge-${id}` },
  })
  expect(status).toBe('SUCCEEDED')
  const page = await open(`${address}/payments/charges`)
  await page.locator('[data-row-key]').first().press('Enter')
  await page.getByRole('complementary').getByText('Absent: under an authorization').waitFor()
  await store(page, 'charge')
})

test('provenance: an installed copy with the chain of its origin', async () => {
  const { items } = await person.call(listEntries, { query: { search: 'reminder' } })
  await person.call(installEntry, {
    params: { id: firstOf(items).id },
    body: { acknowledgeDisclaimer: true },
  })
  const page = await open(`${address}/marketplace/installs`)
  await page.locator('[data-row-key]').first().press('Enter')
  await page.getByRole('complementary').getByText('Provenance').waitFor()
  await seeContent(page)
  await store(page, 'provenance')
})

test('event streams: rows that others made wait to be shown', async () => {
  const page = await open(`${address}/leads`)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  for (const firstName of ['Marta', 'Tomas', 'Ana'])
    await person.call(createLead, {
      body: { firstName, company: 'Harbour Books', email: `${firstName.toLowerCase()}@harbour.example` },
    })
  await page.getByText('3 new').first().waitFor()
  await store(page, 'live-changes')
})

test('tools: a new token with the finished line of each tool', async () => {
  const page = await open(`${address}/settings/tokens`)
  await page.getByRole('button', { name: 'New personal token…' }).first().press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Create the token' }).press('Enter')
  await page.getByRole('dialog').getByRole('tab').first().waitFor()
  await store(page, 'token')
})
