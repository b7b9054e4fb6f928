import { openDirectConversation } from '#contract/chat/channels.ts'
import type { Subject } from '#platform/audit.ts'
import type { Db } from '#platform/db/database.ts'
import { violated } from '#platform/db/errors.ts'
import { fail } from '#platform/fail.ts'
import { Instead, steps } from '#platform/serve.ts'
import { makeChannel, othersThan } from '../channels/make.ts'
import { directKey } from '../channels/rules.ts'
import { showChannel } from '../channels/show.ts'
import { directChannel } from '../channels/store.ts'
import { peopleOf } from '../members/store.ts'

/** Opening what is there changes nothing. Of those who open a new one at the same moment all get the one of the first. */
export const openDirect = steps(openDirectConversation, async ({ db, transact, caller, body }) => {
  const others = othersThan(caller, body.personIds)
  const key = directKey([caller.personId, ...others])
  const [there, found] = await Promise.all([existing(db, key), peopleOf(db, others)])
  if (found.length < others.length) fail('MEMBER_NOT_FOUND')
  if (there) return there

  const subject: Subject = { changed: ['members'] }
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
  return channel && new Instead(showChannel(channel))
}
