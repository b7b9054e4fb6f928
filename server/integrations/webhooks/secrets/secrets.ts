import {
  activateWebhookSecret,
  listWebhookSecrets,
  prepareWebhookSecret,
  retireWebhookSecret,
  type WebhookSecret,
} from '#contract/integrations/webhook.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { lastOf } from '#platform/required.ts'
import { lockWebhook, webhookFor } from '../endpoint/endpoint.access.ts'
import { wakeDispatcherAfterCommit } from '../endpoint/endpoint.events.ts'
import { assertMayReceive } from '../endpoint/endpoint.rules.ts'
import { newSecret, secretPurpose } from './webhook-secret.format.ts'
import { insertSecret, secretsOf, setSecretState } from './webhook-secret.sql.ts'

const list = query(listWebhookSecrets, async ({ db, params: { id } }) => {
  const [items] = await Promise.all([secretsOf(db, id), webhookFor(db, id)])
  return { items }
})

/** The secret allows sending as Patio: only people who may read the data of the webhook see it. */
const prepare = command(prepareWebhookSecret, async ({ tx, caller, params: { id }, services, audit }) => {
  const [{ application, webhook }, existing] = await tx.inOrder(
    () => lockWebhook(tx, id),
    () => secretsOf(tx, id),
  )
  assertMayReceive(caller, application, webhook.events)
  if (existing.some(({ state }) => state === 'PREPARED')) fail('SECRET_PREPARED')
  const secret = newSecret()
  const row = await insertSecret(tx, id, 'PREPARED', services.cipher.hide(secretPurpose, secret))
  wakeDispatcherAfterCommit(tx, services, id)
  audit(row.id, ['state'])
  return { ...row, secret }
})

/** The current secret becomes RETIRING, and the one before it is retired. */
const activate = command(activateWebhookSecret, async ({ tx, params: { id, secretId }, services, audit }) => {
  const { secret, others } = await lockSecret(tx, id, secretId)
  audit(secretId, secret.state === 'CURRENT' ? [] : ['state'])
  if (secret.state === 'CURRENT') return secret
  if (secret.state === 'RETIRED') fail('SECRET_RETIRED')
  const inState = (wanted: WebhookSecret['state']) => others.filter(({ state }) => state === wanted)
  // in this order: there is never more than one current secret
  const moves = [
    ...inState('RETIRING').map(one => setSecretState(tx, id, one.id, 'RETIRED')),
    ...inState('CURRENT').map(one => setSecretState(tx, id, one.id, 'RETIRING')),
    setSecretState(tx, id, secretId, 'CURRENT'),
  ]
  wakeDispatcherAfterCommit(tx, services, id)
  return lastOf(await Promise.all(moves))
})

const retire = command(retireWebhookSecret, async ({ tx, params: { id, secretId }, services, audit }) => {
  const { secret } = await lockSecret(tx, id, secretId)
  if (secret.state === 'CURRENT') fail('SECRET_IN_USE')
  audit(secretId, secret.state === 'RETIRED' ? [] : ['state'])
  if (secret.state === 'RETIRED') return secret
  wakeDispatcherAfterCommit(tx, services, id)
  return setSecretState(tx, id, secretId, 'RETIRED')
})

async function lockSecret(
  tx: Tx,
  applicationId: string,
  secretId: string,
): Promise<{ secret: WebhookSecret; others: WebhookSecret[] }> {
  const [, all] = await tx.inOrder(
    () => lockWebhook(tx, applicationId),
    () => secretsOf(tx, applicationId),
  )
  const secret = all.find(({ id }) => id === secretId) ?? fail('SECRET_NOT_FOUND')
  return { secret, others: all.filter(one => one !== secret) }
}

/** The secrets of a webhook: `/api/integrations/applications/:id/webhook/secrets`. Rotation loses no delivery. */
export const secretOperations: ServedOperation[] = [list, prepare, activate, retire]
