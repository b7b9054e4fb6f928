import { setWebhook } from '#contract/integrations/webhook.ts'
import type { Subject } from '#platform/audit.ts'
import { Instead, steps } from '#platform/serve.ts'
import { applicationFor, lockApplication } from '../../applications/access.ts'
import { newSecret, secretPurpose } from '../secrets/form.ts'
import { insertSecret } from '../secrets/store.ts'
import { findWebhook } from './access.ts'
import { assertEvents, assertReachable, changedFields, tidyUrl } from './rules.ts'
import { showWebhook } from './show.ts'
import { setWebhookFields } from './store.ts'
import { toldAfter } from './tell.ts'

/** Name servers are asked before the transaction; that a scope is still there is looked at again inside. */
export const set = steps(setWebhook, async ({ db, transact, params: { id }, body, world }) => {
  const url = tidyUrl(body.url)
  assertEvents(body.events, (await applicationFor(db, id)).scopes)
  await assertReachable(world.addresses, url)

  const subject: Subject = { subject: id }
  return transact(async tx => {
    const [application, before] = await Promise.all([lockApplication(tx, id), findWebhook(tx, id)])
    const events = assertEvents(body.events, application.scopes)
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
    toldAfter(tx, world, id)
    if (before) return showWebhook((await findWebhook(tx, id))!)
    const secret = newSecret()
    const [, made] = await Promise.all([
      insertSecret(tx, id, 'CURRENT', world.cipher.hide(secretPurpose, secret)),
      findWebhook(tx, id),
    ])
    return new Instead({ ...showWebhook(made!), secret })
  }, subject)
})
