import type { ServedOperation } from '#platform/http/operation.ts'
import { bulk } from './groups/bulk.ts'
import { list, listAll, statistics, tab } from './groups/list.ts'
import { read } from './groups/read.ts'
import { reopen } from './groups/reopen.ts'
import { resolve } from './groups/resolve.ts'
import { silence } from './groups/silence.ts'
import { report } from './intake/report.ts'
import { read as readOverview, update as updateSettings } from './overview/overview.ts'
import * as secretNames from './secret-names/secret-names.ts'
import * as tickets from './tickets/tickets.ts'

export const errorReportRoutes: ServedOperation[] = [
  report,
  list,
  statistics,
  tab,
  listAll,
  bulk,
  readOverview,
  updateSettings,
  secretNames.read,
  secretNames.update,
  read,
  resolve,
  silence,
  reopen,
  tickets.create,
  tickets.list,
  tickets.read,
  tickets.update,
]
