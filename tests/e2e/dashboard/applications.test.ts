import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { listApplications, readOwnApplication } from '#contract/integrations/applications.ts'
import { listRecoveries } from '#contract/integrations/recoveries.ts'
import { readWebhook, setWebhook } from '#contract/integrations/webhook.ts'
import { connect } from '#sdk/client.ts'
import { verifyWebhook } from '#sdk/webhook.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { atLeast, defined, firstOf } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { plantDeliveries } from '#tests/support/integrations/planted-deliveries.ts'
import { openReceiver, type WebhookReceiver } from '#tests/support/integrations/receiver.ts'
import type { Organization, Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard({ webhookNetworks: ['127.0.0.0/8', '::1/128'] })
let receiver: WebhookReceiver
let organization: Organization
let owner: Person

beforeAll(async () => {
  receiver = await openReceiver()
  organization = await dashboard.server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => receiver?.close())

/** Closes a dialog with a button and waits until it is gone. */
async function finish(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: button, exact: true }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

/** The dialog that is open. */
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Presses a button of a question and waits until it is gone. */
async function answer(page: Page, button: string): Promise<void> {
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: button, exact: true }).press('Enter')
  await question.waitFor({ state: 'detached' })
}

test('an application is registered with scopes; its key is shown once, and its first use is seen', async () => {
  const { server } = dashboard
  const page = await dashboard.open(await addressOf(server, owner, '/applications'), { person: owner })
  await page.getByText('No applications yet').waitFor()
  await page.keyboard.press('c')
  const dialog = dialogOf(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Web shop')
  await dialog.getByRole('checkbox', { name: 'Read leads' }).press('Space')
  await dialog.getByRole('checkbox', { name: 'Create and change leads' }).press('Space')
  expect(await dialog.getByRole('checkbox', { name: 'Convert leads into clients' }).isDisabled()).toBe(true)
  await screenshot(page, 'applications', 'create')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await seeHeading(page, 'Web shop')
  const application = firstOf((await owner.call(listApplications)).items)
  const { id } = application

  // a key: its name, the key once, and its first use
  await page.getByText('No keys yet').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await dialog.getByLabel('Name').fill('Production server')
  await page.keyboard.press('Enter')
  const command = defined(
    await dialog.getByRole('region', { name: 'Command that tries the key' }).textContent(),
  )
  const key = defined(/patio_app_\w+/.exec(command))[0]
  await dialog.getByText('Waiting for the first use…').waitFor()
  await screenshot(page, 'applications', 'key')
  expect(await axeFindings(page)).toEqual([])
  const client = connect(server.url, { apiKey: key }, { retries: 0 })
  const own = await client.call(readOwnApplication)
  expect(own).toMatchObject({ id, scopes: ['crm:leads:read', 'crm:leads:write'] })
  await dialog.getByText('First use seen: the key works').first().waitFor()
  await finish(page, 'Done')
  await page.getByRole('region', { name: 'Production server' }).waitFor()

  // another key replaces it: created, used, and the former one revoked
  await page.keyboard.press('c')
  await dialog.getByLabel('Name').fill('Next server')
  await page.keyboard.press('Enter')
  await dialog.getByText('“Next server” is ready').waitFor()
  await finish(page, 'Done')
  await page.getByText('Waits for the first use of “Next server”.').waitFor()
  expect(await page.getByRole('button', { name: 'New key… c' }).isDisabled()).toBe(true)
  await server.sql(`update application_key set last_used_at = now() where name = 'Next server'`)
  await page.getByRole('button', { name: 'Revoke the former key, Production server…' }).press('Enter')
  await page.getByText('the program that uses it will stop working').waitFor()
  await screenshot(page, 'applications', 'revoke')
  await answer(page, 'Revoke “Production server”')
  await page.getByText('1 ended key').waitFor()
  expect(await client.send(readOwnApplication)).toMatchObject({ status: 401 })
})

test('a webhook is set and tested; of 212 failed deliveries one is retried and all others are recovered', async () => {
  const { server } = dashboard
  const application = await makeApplication(server, organization, {
    name: 'Invoicing',
    scopes: ['crm:leads:read'],
    principal: owner,
  })
  const { id } = application
  const at = `/${id}`
  const webhookPath = `/api/integrations/applications/${id}/webhook`
  const page = await dashboard.open(await addressOf(server, owner, `/applications/${id}/webhook`), {
    person: owner,
    refusals: [`GET ${webhookPath} 404`],
  })
  await page.getByRole('button', { name: 'Create the webhook' }).press('Enter')
  const dialog = dialogOf(page)
  await dialog.getByLabel('Address').fill(`${receiver.url}${at}`)
  // an event says what it needs, and shows what is sent
  expect(await dialog.getByRole('checkbox', { name: 'ERROR_REPORTED' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Example of LEAD_CREATED' }).press('Enter')
  await dialog.getByRole('region', { name: 'Example of LEAD_CREATED' }).getByText('schemaVersion').waitFor()
  await dialog.getByRole('checkbox', { name: 'CRM', exact: true }).press('Space')
  await screenshot(page, 'applications', 'webhook-form')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  const secret = defined(
    /whsec_\w{44}/.exec(
      defined(await dialog.getByRole('group', { name: 'Secret that signs the deliveries' }).textContent()),
    ),
  )[0]
  await screenshot(page, 'applications', 'webhook-secret')
  await finish(page, 'Done')

  // a test is followed to its end
  receiver.replyWith((response, _) => void response.writeHead(401).end('{"error":"unknown signature"}'), at)
  await page.keyboard.press('t')
  await page.getByText('Failed', { exact: true }).first().waitFor()
  receiver.replyWith(204, at)
  await page.keyboard.press('t')
  await page.getByText('Delivered', { exact: true }).first().waitFor()
  await page.getByText('Working', { exact: true }).waitFor()
  const [, second] = atLeast(2, await receiver.waitFor(2, at))
  expect(verifyWebhook(second.body, second.headers, secret).deliveryId).toBe(second.deliveryId)
  await screenshot(page, 'applications', 'webhook')
  expect(await axeFindings(page)).toEqual([])

  // 212 have failed, with five attempts each, and one is retried
  await plantDeliveries(server, organization.id, id, { count: 212 })
  await plantDeliveries(server, organization.id, id, {
    count: 40,
    status: 'DELIVERED',
    fromMs: Date.now() - 1_800_000,
  })
  await page.getByRole('link', { name: 'Deliveries' }).first().press('Enter')
  const rows = page.locator('main [data-row-key]')
  await rows.first().waitFor()
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'status' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Failed' }).press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('FAILED')
  await expect.poll(() => page.getByRole('row', { name: 'WEBHOOK_TEST' }).count()).toBe(1)
  await page.keyboard.press('n')
  const sheet = page.getByRole('complementary')
  await sheet.getByText('The receiver refused the signature (401)').waitFor()
  await page.keyboard.press('n')
  await sheet.getByRole('heading', { name: 'LEAD_CREATED' }).waitFor()
  await sheet.getByText('The receiver had a fault of its own.').waitFor()
  await sheet.getByRole('button', { name: /^3 / }).press('Enter')
  await sheet.getByText('no answer in 10 s').waitFor()
  await sheet.getByRole('button', { name: /^5 / }).press('Enter')
  await sheet.getByText('retry-after: 3600').waitFor()
  await screenshot(page, 'applications', 'delivery')
  expect(await axeFindings(page)).toEqual([])
  await sheet.getByRole('tab', { name: 'curl' }).click()
  await sheet.getByText(`curl -i '${receiver.url}${at}'`).waitFor()
  await page.keyboard.press('r')
  await sheet.getByRole('button', { name: /^6 .*manual/ }).waitFor()
  await sheet.getByText('Delivered', { exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Recover all…' }).press('Enter')
  // the retried one is delivered, the failed test counts
  await dialog.getByText('Finds 212 deliveries.').waitFor()
  await dialog.getByRole('textbox', { name: 'Per second' }).fill('200')
  await page.keyboard.press('Tab')
  await screenshot(page, 'applications', 'recover')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Recover 212 deliveries' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('200 per second').waitFor()
  await page.getByText('212 of 212').waitFor()
  await page.getByText('Done', { exact: true }).waitFor()
  await screenshot(page, 'applications', 'recovered')
  const ids = new Set((await receiver.waitFor(215, at)).map(({ deliveryId }) => deliveryId))
  // two tests, one of them recovered, and all that had failed
  expect(ids.size).toBe(214)
  const { items } = await owner.call(listRecoveries, { params: { id } })
  expect(items).toMatchObject([{ state: 'DONE', total: 212, perSecond: 200 }])
})

test('a secret is replaced in three steps; a webhook is paused and resumed; what is broken can be repaired', async () => {
  const { server } = dashboard
  const former = await organization.person({ name: 'Mei Lin' })
  const { id } = await makeApplication(server, organization, {
    name: 'Support desk',
    scopes: ['crm:leads:read', 'chat:messages:send'],
    principal: former,
  })
  await owner.call(setWebhook, {
    params: { id },
    body: { url: `${receiver.url}/${id}`, events: ['LEAD_CREATED'] },
  })
  await owner.call(removeMember, { params: { personId: former.id } })
  const page = await dashboard.open(await addressOf(server, owner, '/applications'), { person: owner })
  await page.getByText('Mei Lin, no longer a member').waitFor()
  await screenshot(page, 'applications', 'list')
  await page.getByRole('row', { name: 'Support desk' }).focus()
  await page.keyboard.press('Enter')
  await seeHeading(page, 'Support desk')
  await page.getByRole('button', { name: 'Choose a principal…' }).press('Enter')
  const dialog = dialogOf(page)
  const picker = dialog.getByRole('combobox', { name: 'Person' })
  await picker.fill(owner.name)
  await page.getByRole('option', { name: owner.name }).waitFor()
  await picker.press('ArrowDown')
  await picker.press('Enter')
  await dialog.getByRole('button', { name: 'Change the principal' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Choose a principal…' }).waitFor({ state: 'detached' })

  // a scope says what it opens; a critical one is requested and withdrawn
  await page.getByRole('link', { name: 'Read leads' }).press('Enter')
  // without the announcements of the buttons that were busy
  await page.reload()
  const sheet = page.getByRole('complementary', { name: 'Read leads' })
  await sheet.getByText('GET /api/external/v1/leads', { exact: true }).waitFor()
  await sheet.getByText('LEAD_CREATED').waitFor()
  await screenshot(page, 'applications', 'overview')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ask the operator…' }).press('Enter')
  await dialog.getByRole('checkbox', { name: 'Read the notes of leads' }).press('Space')
  await dialog.getByLabel('What it will use them for').fill('To show the notes of a lead beside its calls')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Awaits an answer').waitFor()
  await page.getByRole('button', { name: 'Withdraw the request for Read the notes of leads' }).press('Enter')
  await page.getByText('Withdrawn', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Webhook' }).press('Enter')
  await page.getByRole('button', { name: 'Prepare a secret' }).press('Enter')
  await dialog.getByText('The new secret is prepared').waitFor()
  await finish(page, 'Done')
  await page.getByText('Prepared: signs too').waitFor()
  await page.getByRole('button', { name: 'Activate…' }).press('Enter')
  await answer(page, 'Activate the secret')
  await page.getByRole('button', { name: 'Go back to the former one…' }).waitFor()
  await screenshot(page, 'applications', 'secrets')
  await page.getByRole('button', { name: 'Retire…' }).press('Enter')
  await answer(page, 'Retire the secret')
  await page.getByText('1 retired secret').waitFor()

  await page.getByRole('button', { name: 'Actions of the webhook' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Pause…' }).press('Enter')
  await answer(page, 'Pause the webhook')
  await page.getByText('Somebody paused the webhook.').waitFor()
  expect(await page.getByRole('button', { name: 'Send a test t' }).isDisabled()).toBe(true)
  await screenshot(page, 'applications', 'paused')
  await page.getByRole('button', { name: 'Resume' }).press('Enter')
  await page.getByText('Somebody paused the webhook.').waitFor({ state: 'detached' })
  expect(await owner.call(readWebhook, { params: { id } })).toMatchObject({ status: 'ACTIVE' })

  await page.getByRole('link', { name: 'Overview' }).press('Enter')
  await page.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
  await page.getByLabel('Type Support desk to confirm').fill('Support desk')
  await page.getByRole('button', { name: 'Delete Support desk' }).press('Enter')
  await seeHeading(page, 'Applications')
  await page.getByRole('row', { name: 'Support desk' }).waitFor({ state: 'detached' })
})

test('a member who manages integrations sees deliveries without their content, and nothing is refused (SCP-3)', async () => {
  const { server } = dashboard
  const clerk = await organization.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  const { id } = await makeApplication(server, organization, {
    name: 'Warehouse',
    scopes: ['crm:leads:read'],
  })
  const [deliveryId] = await plantDeliveries(server, organization.id, id, { count: 1 })
  const page = await dashboard.open(await addressOf(server, clerk, `/deliveries?application=${id}`), {
    person: clerk,
    width: 390,
    language: 'es',
    theme: 'dark',
  })
  await seeHeading(page, 'Entregas')
  await page.locator(`[data-row-key="${deliveryId}"]`).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary', { name: 'LEAD_CREATED' })
  await sheet.getByText('El contenido y los intentos de esta entrega no se muestran.').waitFor()
  await sheet.getByText('El receptor tuvo un fallo propio.').waitFor()
  await screenshot(page, 'applications', 'delivery-clerk')
  expect(await axeFindings(page)).toEqual([])
  await page.goto(await addressOf(server, clerk, `/applications/${id}/keys`))
  await page.getByText('Solo un administrador, o la persona responsable').waitFor()
  expect(await page.getByRole('button', { name: 'Nueva clave' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Webhook' }).click()
  await page.getByText('Firma las entregas').or(page.getByText('Destino')).first().waitFor()
  await screenshot(page, 'applications', 'webhook-clerk')
})
