import type { ServedOperation } from '#platform/http/operation.ts'
import { open, read } from './read.ts'
import * as certificate from './seal-certificate.ts'

/** The operations on seals. */
export const sealOperations: ServedOperation[] = [
  certificate.read,
  certificate.upload,
  certificate.remove,
  read,
  open,
]
