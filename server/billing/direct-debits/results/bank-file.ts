import { fail } from '#platform/fail.ts'
import { inThread } from '#platform/threads.ts'
import type { BankFile, parseBankFile } from './parse-bank-file.ts'

/**
 * Reads a pain.002 or camt.054 of any version, in another thread, because a large one takes long. Refuses
 * BANK_FILE_NOT_READABLE, also for a document type declaration, for too many levels and for more than
 * `limits.bankFileEntries` entries.
 */
export async function readBankFile(document: string): Promise<BankFile> {
  const read = await inThread<typeof parseBankFile>(
    new URL('./parse-bank-file.ts', import.meta.url),
    'parseBankFile',
    document,
  )
  return 'problem' in read ? refuseBankFile(read.problem) : read
}

/** Refuses BANK_FILE_NOT_READABLE with the reason. */
export function refuseBankFile(message: string): never {
  fail('BANK_FILE_NOT_READABLE', { details: [{ path: 'document', code: 'bankFile', message }] })
}
