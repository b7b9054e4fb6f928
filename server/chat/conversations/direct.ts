import { openDirectConversation } from '#contract/chat/channels.ts'
import type { Db } from '#platform/data/db.ts'
import { violated } from '#platform/data/errors.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import { AlternateReply, workflow } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { showChannel } from '../channels/channel.json.ts'
import { directKey } from '../channels/channel.rules.ts'
import { directChannel } from '../channels/channel.sql.ts'
import { createChannelWithMembers, othersThan } from '../channels/create-with-members.ts'
import { peopleOf } from '../members/member.sql.ts'

/** Returns the existing conversation. When several people open a new one at once, all get the first. */
export const openDirect = workflow(openDirectConversation, async ({ db, transact, caller, body }) => {
  const others = othersThan(caller, body.personIds)
  const key = directKey([caller.personId, ...others])
  const [existingReply, people] = await Promise.all([findExisting(db, key), peopleOf(db, others)])
  if (people.length < others.length) fail('MEMBER_NOT_FOUND')
  if (existingReply) return existingReply

  const subject: AuditSubject = { changed: ['members'] }
  const reply = transact(async tx => {
    const input = { kind: 'DIRECT', name: null, directKey: key } as const
    const channel = await createChannelWithMembers(tx, caller, input, { role: 'MEMBER', memberIds: others })
    subject.subject = channel.id
    return showChannel(channel)
  }, subject)
  return reply.catch(async error => {
    if (violated(error) !== 'chat_channel_direct') throw error
    return required(await findExisting(db, key), 'the conversation that another call created')
  })
})

async function findExisting(db: Db, key: string) {
  const channel = await directChannel(db, key)
  return channel && new AlternateReply(showChannel(channel))
}
