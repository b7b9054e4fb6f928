import { setChannelNotification } from '#contract/chat/members.ts'
import { emit, type Recipient } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { setNotification } from './member.sql.ts'

/** Keeps CHN-19. A request that changes nothing writes neither an event nor an audit entry. */
export const notify = command(setChannelNotification, async ({ tx, caller, params: { id }, body, audit }) => {
  const { organizationId, personId } = caller
  const { notification } = body
  const { is_changed } = (await setNotification(tx, id, personId, notification)) ?? fail('CHANNEL_NOT_FOUND')
  const person: Recipient = { organizationId, personId }
  if (is_changed) emit(tx, caller, 'chat.notification.changed', { channelId: id }, [person])
  else tx.pending.isReplay = true
  audit(id, ['notification'])
  return { notification }
})
