import { openDirectConversation } from '#contract/chat/channels.ts'
import type { Db } from '#platform/data/database.ts'
import { violated } from '#platform/data/errors.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import { AlternateReply, workflow } from '#platform/http/operation.ts'
import { showChannel } from '../channels/channel.json.ts'
import { directKey } from '../channels/channel.rules.ts'
import { directChannel } from '../channels/channel.sql.ts'
import { makeChannel, othersThan } from '../channels/create-with-members.ts'
import { peopleOf } from '../members/member.sql.ts'

/** Opening what is there changes nothing. Of those who open a new one at the same moment all get the one of the first. */
export const openDirect = workflow(openDirectConversation, async ({ db, transact, caller, body }) => {
  const others = othersThan(caller, body.personIds)
  const key = directKey([caller.personId, ...others])
  const [there, found] = await Promise.all([existing(db, key), peopleOf(db, others)])
  if (found.length < others.length) fail('MEMBER_NOT_FOUND')
  if (there) return there

  const subject: AuditSubject = { changed: ['members'] }
  const made = transact(async tx => {
    const given = { kind: 'DIRECT', name: null, directKey: key } as const
    const channel = await makeChannel(tx, caller, given, { role: 'MEMBER', memberIds: others })
    subject.subject = channel.id
    return showChannel(channel)
  }, subject)
  return made.catch(async error => {
    if (violated(error) !== 'chat_channel_direct') throw error
    return (await existing(db, key))!
  })
})

async function existing(db: Db, key: string) {
  const channel = await directChannel(db, key)
  return channel && new AlternateReply(showChannel(channel))
}
