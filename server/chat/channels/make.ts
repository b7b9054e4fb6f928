import type { ChannelRole } from '#contract/chat/shapes.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { hasRoom, insertMembers, peopleOf } from '../members/store.ts'
import type { ChannelRow } from './access.ts'
import { announceCreated } from './announce.ts'
import { assertRoomForChannel, insertChannel, type NewChannel } from './store.ts'

type Given = Pick<NewChannel, 'kind' | 'name'> & Partial<NewChannel>

/**
 * Makes a channel of the caller and others, and says so: all of them hear of it. Refuses MEMBER_NOT_FOUND when one of them
 * is not in the organization, and TOO_MANY_IN_CHANNEL.
 */
export async function makeChannel(
  tx: Tx,
  caller: Caller,
  given: Given,
  { role, memberIds }: { role: ChannelRole; memberIds: readonly string[] },
): Promise<ChannelRow> {
  const id = newId()
  const others = othersThan(caller, memberIds)
  const [found, isThereRoom] = await Promise.all([
    peopleOf(tx, others),
    hasRoom(tx, id, [caller.personId, ...others]),
    assertRoomForChannel(tx),
  ])
  if (found.length < others.length) fail('MEMBER_NOT_FOUND')
  if (!isThereRoom) fail('TOO_MANY_IN_CHANNEL')

  const [channel] = await Promise.all([
    insertChannel(tx, {
      id,
      description: null,
      isDiscoverable: false,
      directKey: null,
      customerReference: null,
      createdBy: caller.personId,
      createdByApplication: null,
      ...given,
    }),
    insertMembers(tx, id, [caller.personId], role),
    insertMembers(tx, id, others, 'MEMBER'),
  ])
  announceCreated(tx, caller, channel)
  return channel
}

/** Whom the caller names beside themselves, each once. */
export function othersThan({ personId }: Caller, personIds: readonly string[] = []): string[] {
  return [...new Set(personIds)].filter(id => id !== personId)
}
