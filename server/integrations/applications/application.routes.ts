import type { ServedOperation } from '#platform/http/operation.ts'
import { create } from './create.ts'
import { list, read, readOwn } from './read.ts'
import { remove } from './remove.ts'
import { update } from './update.ts'

/** External applications: `/api/integrations/applications` and `/api/external/v1/application`. */
export const applicationOperations: ServedOperation[] = [create, list, read, update, remove, readOwn]
