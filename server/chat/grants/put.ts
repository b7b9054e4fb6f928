import { putGrant } from '#contract/chat/grants.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { syncAccessOfApplication } from '../channel-access/channel-access.sql.ts'
import { assertManagesChannel, assertNotArchived, lockChannel } from '../channels/channel.access.ts'
import { emitGrantChanged } from './grant.events.ts'
import { grantAuditDetail, showGrant } from './grant.json.ts'
import type { GrantRights } from './grant.rules.ts'
import { countGrants, endGrant, type GrantRow, grantOf, insertGrant } from './grant.sql.ts'

/** Replaces the grant, now on behalf of the caller. The previous one stays as history. */
export const put = command(putGrant, async ({ tx, caller, params: { id, applicationId }, body, audit }) => {
  const channel = await lockChannel(tx, caller, id)
  assertManagesChannel(caller, channel, 'CHAT_APPLICATIONS_MANAGE')
  const { isMember = true } = body
  if (isMember && !channel.role) fail('JOIN_CHANNEL_FIRST')
  assertNotArchived(channel)
  const [, before, count] = await Promise.all([
    applicationFor(tx, applicationId),
    grantOf(tx, id, applicationId),
    countGrants(tx, id),
  ])
  if (!before && count >= limits.grantsPerChannel) fail('TOO_MANY_IN_CHANNEL')
  const rights = {
    can_organize: body.capabilities.includes('Crear y organizar canales'),
    can_manage_members: body.capabilities.includes('Gestionar miembros'),
    is_member: isMember,
  }
  if (before?.granted_by === caller.personId && isSameRights(before, rights)) {
    audit(id)
    return showGrant(before)
  }
  const [, , , after] = await Promise.all([
    before && endGrant(tx, id, applicationId, caller.personId),
    insertGrant(tx, id, applicationId, caller.personId, rights, before?.is_announced ?? false),
    syncAccessOfApplication(tx, id, applicationId),
    grantOf(tx, id, applicationId) as Promise<GrantRow>,
  ])
  await emitGrantChanged(tx, caller, id, before, after)
  audit(id, ['applications'], {
    applicationId,
    before: grantAuditDetail(before),
    after: grantAuditDetail(after),
  })
  return showGrant(after)
})

function isSameRights(before: GrantRights, after: GrantRights): boolean {
  return (
    before.can_organize === after.can_organize &&
    before.can_manage_members === after.can_manage_members &&
    before.is_member === after.is_member
  )
}
