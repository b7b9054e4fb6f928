import type { ServedOperation } from '#platform/http/operation.ts'
import { exportPackage } from './export.ts'
import { importPackage } from './import.ts'

/** The operations of packages. */
export const packageOperations: ServedOperation[] = [exportPackage, importPackage]
