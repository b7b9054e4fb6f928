import {
  holdWebhook,
  readWebhook,
  removeWebhook,
  resumeWebhook,
  testWebhook,
} from '#contract/integrations/webhook.ts'
import { emit } from '#platform/events/emit.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { assertSends, findWebhook, lockWebhook, webhookFor } from './endpoint.access.ts'
import { wakeDispatcherAfterCommit } from './endpoint.events.ts'
import { showWebhook } from './endpoint.json.ts'
import { deleteWebhook, setPaused, setResumed } from './endpoint.sql.ts'
import { health } from './health.ts'
import { set } from './set.ts'

const read = query(readWebhook, async ({ db, params: { id } }) =>
  showWebhook((await webhookFor(db, id)).webhook),
)

const remove = command(removeWebhook, async ({ tx, params: { id }, services, audit }) => {
  await lockWebhook(tx, id)
  await deleteWebhook(tx, id)
  wakeDispatcherAfterCommit(tx, services, id)
  audit(id, ['url', 'events', 'secrets'])
})

const hold = command(holdWebhook, async ({ tx, params: { id }, services, audit }) => {
  const { webhook } = await lockWebhook(tx, id)
  audit(id, webhook.status === 'HELD' ? [] : ['status'])
  if (webhook.status === 'HELD') return showWebhook(webhook)
  await setPaused(tx, id)
  wakeDispatcherAfterCommit(tx, services, id)
  return showWebhook(required(await findWebhook(tx, id), 'a locked webhook'))
})

const resume = command(resumeWebhook, async ({ tx, params: { id }, services, audit }) => {
  const { webhook } = await lockWebhook(tx, id)
  audit(id, webhook.status === 'ACTIVE' ? [] : ['status'])
  if (webhook.status === 'ACTIVE') return showWebhook(webhook)
  await setResumed(tx, id)
  wakeDispatcherAfterCommit(tx, services, id)
  return showWebhook(required(await findWebhook(tx, id), 'a locked webhook'))
})

/** Emits an event for this application alone, which needs no subscription. */
const test = command(testWebhook, async ({ tx, caller, params: { id }, audit }) => {
  assertSends(await lockWebhook(tx, id))
  const data = { message: 'This is a test.' }
  const eventId = emit(tx, caller, 'WEBHOOK_TEST', data, { applicationId: id })
  audit(id)
  return { event: 'WEBHOOK_TEST', eventId }
})

/** The webhook of an application: `/api/integrations/applications/:id/webhook`. */
export const webhookOperations: ServedOperation[] = [set, read, remove, hold, resume, test, health]
