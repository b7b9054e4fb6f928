import type { Operation } from '#contract/operation.ts'
import { areas } from './areas.ts'
import { sessionContracts } from './identity/area.ts'
import { inbox } from './inbox.ts'
import { overview } from './overview.ts'
import { peopleStream } from './people-stream.ts'
import type { ServedOperation } from './platform/http/operation.ts'
import { serverHealthOperations } from './server-health.ts'

/** Every operation, except those of sessions, which need the keys of a process. */
export const operations: ServedOperation[] = [
  ...areas.flatMap(area => area.operations),
  overview,
  inbox,
  ...serverHealthOperations,
  peopleStream,
]

/** Every operation of the contract, for the generated documents. */
export const operationContracts: Operation[] = [
  ...sessionContracts,
  ...operations.map(({ contract }) => contract),
]
