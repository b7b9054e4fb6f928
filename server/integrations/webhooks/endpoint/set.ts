import { setWebhook } from '#contract/integrations/webhook.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { AlternateReply, workflow } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { applicationFor, lockApplication } from '../../applications/application.access.ts'
import { newSecret, secretPurpose } from '../secrets/webhook-secret.format.ts'
import { insertSecret } from '../secrets/webhook-secret.sql.ts'
import { findWebhook } from './endpoint.access.ts'
import { wakeDispatcherAfterCommit } from './endpoint.events.ts'
import { showWebhook } from './endpoint.json.ts'
import {
  assertEvents,
  assertMaySetTarget,
  assertReachable,
  changedFields,
  normalizeUrl,
} from './endpoint.rules.ts'
import { setWebhookFields } from './endpoint.sql.ts'

/** Resolves the host name before the transaction, which then checks scopes and permissions again. */
export const set = workflow(setWebhook, async ({ db, transact, caller, params: { id }, body, services }) => {
  const url = normalizeUrl(body.url)
  const [applicationNow, current] = await Promise.all([applicationFor(db, id), findWebhook(db, id)])
  assertMaySetTarget(caller, applicationNow, current, {
    url,
    events: assertEvents(body.events, applicationNow.scopes),
  })
  await assertReachable(services.allowedAddresses, url)

  const subject: AuditSubject = { subject: id }
  return transact(async tx => {
    const [application, before] = await tx.inOrder(
      () => lockApplication(tx, id),
      () => findWebhook(tx, id),
    )
    const events = assertEvents(body.events, application.scopes)
    assertMaySetTarget(caller, application, before, { url, events })
    const after = {
      url,
      events,
      max_per_second: body.maxPerSecond ?? null,
      is_ordered: body.ordered ?? false,
      has_standard_headers: body.standardHeaders ?? false,
    }
    subject.changed = changedFields(before, after)
    if (before && subject.changed.length === 0) return showWebhook(before)

    await setWebhookFields(tx, id, after)
    wakeDispatcherAfterCommit(tx, services, id)
    if (before) return showWebhook(required(await findWebhook(tx, id), 'a locked webhook'))
    const secret = newSecret()
    const [, made] = await Promise.all([
      insertSecret(tx, id, 'CURRENT', services.cipher.hide(secretPurpose, secret)),
      findWebhook(tx, id),
    ])
    return new AlternateReply({ ...showWebhook(required(made, 'a new webhook')), secret })
  }, subject)
})
