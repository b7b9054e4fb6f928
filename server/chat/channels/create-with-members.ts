import type { ChannelRole } from '#contract/chat/shapes.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { hasCapacity, insertMembers, peopleOf } from '../members/member.sql.ts'
import type { ChannelRow } from './channel.access.ts'
import { emitChannelCreated } from './channel.events.ts'
import { assertChannelLimit, insertChannel, type NewChannel } from './channel.sql.ts'

type ChannelInput = Pick<NewChannel, 'kind' | 'name'> & Partial<Omit<NewChannel, 'id'>>

/**
 * Creates a channel with its creator, by default the caller, and other members, and emits the events. `role` is the role
 * of the creator. Refuses MEMBER_NOT_FOUND if a member is not in the organization, and TOO_MANY_IN_CHANNEL.
 */
export async function createChannelWithMembers(
  tx: Tx,
  caller: Caller,
  input: ChannelInput,
  { role, memberIds = [] }: { role: ChannelRole; memberIds?: readonly string[] },
): Promise<ChannelRow> {
  const id = newId()
  const { createdBy = caller.personId } = input
  const others = othersThan({ personId: createdBy }, memberIds)
  const [isWithinLimits, people] = await Promise.all([
    hasCapacity(tx, id, [createdBy, ...others]),
    peopleOf(tx, [createdBy, ...others]),
    assertChannelLimit(tx),
  ])
  if (people.length <= others.length) fail('MEMBER_NOT_FOUND')
  if (!isWithinLimits) fail('TOO_MANY_IN_CHANNEL')

  const [channel] = await Promise.all([
    insertChannel(tx, {
      id,
      description: null,
      isDiscoverable: false,
      directKey: null,
      customerReference: null,
      createdBy,
      createdByApplication: caller.applicationId,
      ...input,
    }),
    insertMembers(tx, id, [createdBy], role),
    insertMembers(tx, id, others, 'MEMBER'),
  ])
  await emitChannelCreated(tx, caller, channel)
  return channel
}

/** The distinct ids other than that of the person. */
export function othersThan(
  { personId }: Pick<Caller, 'personId'>,
  personIds: readonly string[] = [],
): string[] {
  return [...new Set(personIds)].filter(id => id !== personId)
}
