import type { Served } from '#platform/serve.ts'
import { open } from './certificate.ts'
import { check } from './chain.ts'
import { importOld } from './import.ts'
import { list, read } from './read.ts'
import { verify } from './verify.ts'

/** Document 3, Budget signatures; the last three are ours. */
export const signatureOperations: Served[] = [list, read, verify, open, importOld, check]
