import { uploadChatFiles } from '#contract/chat/files.ts'
import { limits } from '#contract/limits.ts'
import { type Incoming, TooLarge } from '#platform/adapters/files.ts'
import { detectContentType } from '#platform/content-type.ts'
import type { Db } from '#platform/data/db.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { UploadServices } from '#platform/services.ts'
import { assertNotArchived, ownChannelFor } from '../channels/channel.access.ts'
import { showFile } from './file.json.ts'
import { normalizeFilename } from './file.rules.ts'
import { countWaitingFiles, insertFiles, type NewFile } from './file.sql.ts'

type ReceivedFile = { file: NewFile; incoming: Incoming }

/**
 * Stores files that wait for a message of the caller. The bytes are received and stored before the transaction starts,
 * which then adds all files or none (MSG-19, MSG-20).
 */
export const upload = workflow(
  uploadChatFiles,
  async ({ db, caller, params: { id }, form, services, transact }) => {
    await assertMayUpload(db, caller, id, 1)
    const received: ReceivedFile[] = []
    try {
      await receiveFiles(form, services, received)
      const files = received.map(({ file }) => file)
      await storeObjects(
        services,
        received.map(({ incoming }) => incoming),
      )
      const rows = await transact(
        async tx => {
          await assertMayUpload(tx, caller, id, files.length)
          const inserted = await insertFiles(tx, id, caller.personId, files)
          if (inserted.length === 0) fail('CHAT_STORAGE_FULL', { limit: limits.chatFileBytesPerOrganization })
          return inserted
        },
        { subject: id, changed: ['files'] },
      )
      return { items: rows.map(showFile) }
    } finally {
      await Promise.all(received.map(({ incoming }) => incoming.discard()))
    }
  },
)

async function assertMayUpload(db: Db, caller: Caller, channelId: string, files: number): Promise<void> {
  assertNotArchived(await ownChannelFor(db, caller, channelId))
  const limit = limits.waitingChatFiles
  if ((await countWaitingFiles(db, caller.personId)) + files > limit) fail('TOO_MANY_FILES', { limit })
}

/** Receives the files one after the other and adds them to `received`, so that the caller can discard them. */
async function receiveFiles(
  form: Form,
  { files, maxFileBytes }: UploadServices,
  received: ReceivedFile[],
): Promise<void> {
  for await (const part of form) {
    if (part.kind !== 'file' || part.name !== 'file')
      refuse(part.name, 'unknown', 'is not a file of this operation')
    if (received.length === limits.filesPerMessage) fail('TOO_MANY_FILES', { limit: limits.filesPerMessage })
    const filename = normalizeFilename(part.filename) ?? refuse('file', 'filename', 'has no valid name')
    const incoming = await files.receive(part.bytes, maxFileBytes, true).catch(error => {
      if (error instanceof TooLarge) fail('FILE_TOO_LARGE', { limit: maxFileBytes })
      throw error
    })
    const { size, sha256 } = incoming
    const file = { id: newId(), filename, content_type: '', size, sha256 }
    received.push({ file, incoming })
    file.content_type = await detectContentType(incoming.head, size, filename)
  }
  if (received.length === 0) refuse('file', 'required', 'is missing')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
