import { revokeGrant } from '#contract/chat/grants.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertManagesChannel, lockChannel } from '../channels/channel.access.ts'
import { emitGrantChanged } from './grant.events.ts'
import { grantAuditDetail } from './grant.json.ts'
import { endGrant, grantOf } from './grant.sql.ts'

/** Works in an archived channel too. Grants are not cached, so the next call of the application is refused. */
export const revoke = command(revokeGrant, async ({ tx, caller, params: { id, applicationId }, audit }) => {
  const channel = await lockChannel(tx, caller, id)
  assertManagesChannel(caller, channel, 'CHAT_APPLICATIONS_MANAGE')
  const before = (await grantOf(tx, id, applicationId)) ?? fail('GRANT_NOT_FOUND')
  await endGrant(tx, id, applicationId, caller.personId)
  await emitGrantChanged(tx, caller, id, before, undefined)
  audit(id, ['applications'], { applicationId, before: grantAuditDetail(before), after: null })
})
