import type { Served } from '#platform/serve.ts'
import { exportPackage } from './export.ts'
import { importPackage } from './import.ts'

/** The operations of packages, in the order of Document 1. */
export const packageOperations: Served[] = [exportPackage, importPackage]
