import type { Served } from '#platform/serve.ts'
import { open } from './certificate.ts'
import { check } from './chain.ts'
import { importOld } from './import.ts'
import { ofFileOperations } from './of-file/verify.ts'
import { list, read } from './read.ts'
import { verify } from './verify.ts'

/** Document 3, Budget signatures; those of the second line are ours. */
export const signatureOperations: Served[] = [
  ...[list, read, verify],
  ...[open, importOld, check, ...ofFileOperations],
]
