import * as contract from '#contract/crm/lead-imports.ts'
import type { ServedOperation } from '#platform/http/operation.ts'
import { importOperations } from '../imports/import-operations.ts'
import { findByEmail } from './by-email/find-by-email.ts'
import { convert } from './convert/convert.ts'
import { create } from './create.ts'
import { exportCsv } from './csv/export.ts'
import { disqualify } from './disqualify.ts'
import { list as listHistory } from './history/list.ts'
import { leadImport } from './imports/lead-import.ts'
import { list } from './list/list.ts'
import { values } from './list/values.ts'
import { listDuplicates } from './list-duplicates.ts'
import { erase } from './privacy/erase.ts'
import { exportData } from './privacy/export.ts'
import { qualify } from './qualify.ts'
import { read } from './read.ts'
import { score } from './score.ts'
import { search } from './search/search.ts'
import { sync } from './sync/sync.ts'
import { syncStatus } from './sync/sync-status.ts'
import { bulk } from './team/bulk.ts'
import { move } from './team/move.ts'
import { update } from './update.ts'

/** The operations on leads. */
export const leadOperations: ServedOperation[] = [
  create,
  list,
  values,
  read,
  search,
  findByEmail,
  sync,
  syncStatus,
  qualify,
  disqualify,
  convert,
  update,
  score,
  erase,
  exportData,
  move,
  bulk,
  exportCsv,
  listHistory,
  listDuplicates,
  ...importOperations(leadImport, {
    start: contract.importLeads,
    list: contract.listLeadImports,
    read: contract.readLeadImport,
    cancel: contract.cancelLeadImport,
  }),
]
