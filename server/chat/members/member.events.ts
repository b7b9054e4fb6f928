import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { emitAccessChanges } from '../channel-access/channel-access.events.ts'
import { syncAccessOfGrantorIn } from '../channel-access/channel-access.sql.ts'

/** A person joined or left a channel; the applications of which the person is the grantor gain or lose access. */
export async function emitMembershipChanged(
  tx: Tx,
  actor: EventActor,
  name: 'chat.member.added' | 'chat.member.removed',
  channelId: string,
  personId: string,
): Promise<void> {
  emit(tx, actor, name, { channelId, personId })
  await emitAccessChanges(tx, actor, await syncAccessOfGrantorIn(tx, channelId, personId))
}
