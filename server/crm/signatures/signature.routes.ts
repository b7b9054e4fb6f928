import type { ServedOperation } from '#platform/http/operation.ts'
import { downloadCertificate } from './certificate.ts'
import { checkChain } from './chain.ts'
import { importOld } from './import.ts'
import { list, read } from './read.ts'
import { openReply } from './time-stamps/open.ts'
import { readStatus } from './time-stamps/read-status.ts'
import { verify } from './verify.ts'
import { verifyPageOperations } from './verify-file/verify-file.ts'

/** The operations on signatures. Applications can call only the first three (SIG-1). */
export const signatureOperations: ServedOperation[] = [
  list,
  read,
  verify,
  downloadCertificate,
  importOld,
  checkChain,
  readStatus,
  openReply,
  ...verifyPageOperations,
]
