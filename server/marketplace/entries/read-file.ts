import { readEntryFile } from '#contract/marketplace/entries.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { sendReleaseFile } from '../release-file.ts'
import { entryFile } from './entry-detail.sql.ts'

/** Sends a file of the release that the caller sees, so that people read what they install (ENT-36). */
export const file = stream(readEntryFile, async ({ db, caller, params, query, services, reply }) => {
  const { personId, isAdministrator } = caller
  const found = await entryFile(db, personId, isAdministrator, params.id, query.path)
  return sendReleaseFile(reply, services, found ?? fail('ENTRY_NOT_FOUND'))
})
