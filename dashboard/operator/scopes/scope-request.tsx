import type { listOperatedScopeRequests } from '#contract/integrations/critical-scopes.ts'
import type { Reply } from '#contract/route.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import type { ScopeRequestStatus } from './scope-search.ts'
import { scopeRequestTexts } from './scopes.words.ts'

/** A request for a critical scope as operators see it. */
export type ScopeRequest = Reply<typeof listOperatedScopeRequests>['items'][number]

/** The answer of an operator to a request. */
export type Decision = 'GRANT' | 'REFUSE'

const icons: Readonly<Record<ScopeRequestStatus, { icon: IconName; kind?: StatusKind }>> = {
  OPEN: { icon: 'half', kind: 'warn' },
  GRANTED: { icon: 'done', kind: 'done' },
  REFUSED: { icon: 'failed', kind: 'danger' },
  WITHDRAWN: { icon: 'minus', kind: 'quiet' },
}

/** The status of a request: an icon and a word. */
export function RequestStatus({ status }: { status: ScopeRequestStatus }) {
  const text = useWords(scopeRequestTexts)
  return <Status {...icons[status]}>{text[status]}</Status>
}
