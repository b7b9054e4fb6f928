import { removeChatFile } from '#contract/chat/files.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertNotArchived } from '../channels/channel.access.ts'
import { lockMessage } from '../messages/message.access.ts'
import { emitFilesChanged } from '../messages/message.events.ts'
import { isAuthor } from '../messages/message.rules.ts'
import { fileFor } from './file.access.ts'
import { deleteFiles } from './file.sql.ts'

/** Keeps MSG-23. */
export const remove = command(removeChatFile, async ({ tx, caller, params: { fileId }, audit }) => {
  const file = await fileFor(tx, caller, fileId)
  if (file.message_id !== null) {
    const message = await lockMessage(tx, caller, file.message_id)
    if (!isAuthor(caller, message)) fail('NOT_THE_AUTHOR')
    assertNotArchived(message)
    emitFilesChanged(tx, caller, message)
  }
  await deleteFiles(tx, [file])
  audit(file.message_id ?? fileId, ['files'])
})
