import type { Served } from '#platform/serve.ts'
import { key } from '../provenance/key.ts'
import { install } from './install.ts'
import { list, listOfEntry, read } from './list.ts'
import { update } from './update.ts'

/** Installs and their updates, in the order of Document 1, and what verifies where they come from. */
export const installOperations: Served[] = [install, list, listOfEntry, read, update, key]
