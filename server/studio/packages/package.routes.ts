import type { Served } from '#platform/http/operation.ts'
import { exportPackage } from './export.ts'
import { importPackage } from './import.ts'

/** The operations of packages. */
export const packageOperations: Served[] = [exportPackage, importPackage]
