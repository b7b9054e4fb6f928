import type { ServedOperation } from '#platform/http/operation.ts'
import { read as readBudget, readOwn as readOwnBudget, set as setBudget } from './budget/budget.ts'
import { approve, reject } from './decide.ts'
import { list as listExecutions, listOwn as listOwnExecutions } from './executions/list.ts'
import { report } from './executions/report.ts'
import { pause, resume } from './pause.ts'
import { propose } from './propose.ts'
import { list, listOpen, listOwn, read, readOwn } from './read.ts'
import { withdraw } from './withdraw.ts'

/** Operations of applications, which propose agents and report on them, then of people, who approve and pause them. */
export const agentOperations: ServedOperation[] = [
  propose,
  listOwn,
  readOwnBudget,
  readOwn,
  withdraw,
  report,
  listOwnExecutions,
  list,
  listOpen,
  read,
  listExecutions,
  approve,
  reject,
  pause,
  resume,
  readBudget,
  setBudget,
]
