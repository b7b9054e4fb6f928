import type { ServedOperation } from '#platform/http/operation.ts'
import { open } from './certificate.ts'
import { check } from './chain.ts'
import { importOld } from './import.ts'
import { ofFileOperations } from './of-file/verify.ts'
import { list, read } from './read.ts'
import { verify } from './verify.ts'

/** Signatures of budgets: applications have those of the first line only (SIG-1). */
export const signatureOperations: ServedOperation[] = [
  list,
  read,
  verify,
  open,
  importOld,
  check,
  ...ofFileOperations,
]
