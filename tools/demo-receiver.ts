/**
 * `npm run demo:receiver [-- address demo.json]`: sends the webhooks of the demo's first application to a
 * receiver on this machine, and prints them. Ctrl-C ends it and deletes the webhook.
 */
import { readFileSync } from 'node:fs'
import { getSessionToken } from '#contract/identity/sessions.ts'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { readCatalogue } from '#contract/integrations/catalogue.ts'
import { readWebhook, removeWebhook, setWebhook, testWebhook } from '#contract/integrations/webhook.ts'
import { commandLine } from '#platform/version.ts'
import { type Client, connect } from '#sdk/client.ts'
import { type Notice, openReceiver } from '#sdk/examples/receiver.ts'

const [url = 'http://localhost:4000', demoFile = 'data/demo.json'] = process.argv.slice(2)
const path = '/demo-receiver'

type Account = { email: string; password: string }

async function main(): Promise<void> {
  const { people, applications } = JSON.parse(readFileSync(demoFile, 'utf8')).organizations[0]
  const [{ id, name, key }] = applications
  const params = { id }
  const owner = await signIn(people[0])
  await assertFree(owner, id)

  const secrets: string[] = []
  const receiver = await openReceiver(secrets, show)
  const webhook = { url: receiver.url + path, events: await eventsFor(key) }
  const made = await owner.call(setWebhook, { params, body: webhook })
  if ('secret' in made) secrets.push(made.secret)
  say(`Webhooks of ${name} arrive at ${webhook.url}. Ctrl-C stops this.`)
  await owner.call(testWebhook, { params })

  await new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  // the first session may have ended
  await (await signIn(people[0])).call(removeWebhook, { params })
  await receiver.close()
}

/** All events that its scopes allow. */
async function eventsFor(apiKey: string): Promise<string[]> {
  const application = connect(url, { apiKey })
  const [{ events }, own] = await Promise.all([
    application.call(readCatalogue),
    application.call(readOwnApplication),
  ])
  const scopes: readonly string[] = own.scopes
  return events.flatMap(({ event, scope }) => (scope === null || scopes.includes(scope) ? [event] : []))
}

async function signIn({ email, password }: Account): Promise<Client> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`The sign-in of ${email} failed (${answer.status}).`)
  const { token } = (await answer.json()) as { token: string }
  return connect(url, await connect(url, { token }).call(getSessionToken))
}

/** Deletes the webhook of a killed run, but no other one. */
async function assertFree(owner: Client, id: string): Promise<void> {
  const params = { id }
  const there = await owner.send(readWebhook, { params })
  if (there.status === 404) return
  if (new URL(there.body.url).pathname !== path)
    throw new Error(`The application already has a webhook, at ${there.body.url}. Delete it first.`)
  await owner.call(removeWebhook, { params })
}

function show({ event, deliveryId, body }: Notice): void {
  say(`${event} ${deliveryId} has a valid signature: ${JSON.stringify(body.data)}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  await main()
} catch (error) {
  const { message, cause } = error as Error
  process.stderr.write(`${cause ? `${url}: ${(cause as Error).message || message}` : message}\n`)
  process.stderr.write(`The demo must be running (${commandLine.start}), with its people in ${demoFile}.\n`)
  process.exitCode = 1
}
