import { useState } from 'react'
import {
  listScopeRequests,
  requestCriticalScopes,
  withdrawScopeRequest,
} from '#contract/integrations/critical-scopes.ts'
import { criticalScopes } from '#contract/permissions.ts'
import type { Reply } from '#contract/route.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Section } from '../../parts/page.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { scopeTexts } from './scope.words.ts'
import styles from './scope-requests.module.css'
import { scopeRequestTexts } from './scope-requests.words.ts'

const RequestScopesDialog = late(() =>
  import('./request-scopes-dialog.tsx').then(dialog => dialog.RequestScopesDialog),
)

type Request = Reply<typeof listScopeRequests>['items'][number]

const looks = {
  OPEN: { icon: 'clock', kind: 'warn' },
  GRANTED: { icon: 'done', kind: 'done' },
  REFUSED: { icon: 'failed', kind: 'danger' },
  WITHDRAWN: { icon: 'dashed', kind: 'quiet' },
} as const

/** The critical scopes that were requested for an application, with the answers of the operator (SCP-8). */
export function ScopeRequests({ application }: { application: Application }) {
  const text = useWords(scopeRequestTexts)
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { items, isLoading, ...list } = useList(listScopeRequests, { params: { id: application.id } })
  const open = items.flatMap(({ status, scope }) => (status === 'OPEN' ? [scope] : []))
  const possible = criticalScopes.filter(
    scope => !application.scopes.includes(scope) && !open.includes(scope),
  )
  return (
    <Section
      title={text.title}
      about={text.about}
      actions={
        may(requestCriticalScopes) &&
        !isLoading &&
        possible.length > 0 && (
          <Button onPress={() => setAsking(true)} onHoverStart={RequestScopesDialog.preload}>
            {text.ask}
          </Button>
        )
      }
    >
      {isLoading ? (
        <Skeleton rows={2} label={text.reading} />
      ) : items.length === 0 ? (
        <p className={styles.quiet}>{text.none}</p>
      ) : (
        <ul>
          {items.map(request => (
            <ScopeRequest key={request.id} request={request} />
          ))}
        </ul>
      )}
      <LoadMore {...list} shown={items.length} />
      {isAsking && (
        <RequestScopesDialog application={application} possible={possible} onClose={() => setAsking(false)} />
      )}
    </Section>
  )
}

function ScopeRequest({ request }: { request: Request }) {
  const text = useWords(scopeRequestTexts)
  const language = useLanguage()
  const may = useMay()
  const withdraw = useAction(withdrawScopeRequest, { refreshes: [listScopeRequests] })
  const { id, applicationId, scope, status, purpose, requestedBy, requestedAt, answer } = request
  return (
    <li className={styles.request}>
      <div className={styles.line}>
        <span className={styles.scope}>{scopeTexts[language][scope]}</span>
        <Status {...looks[status]}>{text[status]}</Status>
        {status === 'OPEN' && may(withdrawScopeRequest) && (
          <span className={styles.action}>
            <Button
              size="small"
              aria-label={text.withdrawIt(scopeTexts[language][scope])}
              isBusy={withdraw.isPending}
              onPress={() =>
                withdraw.mutate(
                  { params: { id: applicationId, requestId: id } },
                  {
                    toast: () => text.withdrawn,
                    toastsFailure: true,
                  },
                )
              }
            >
              {text.withdraw}
            </Button>
          </span>
        )}
      </div>
      <p className={styles.purpose}>{purpose}</p>
      {answer && <p className={styles.purpose}>{text.answer(answer)}</p>}
      <p className={styles.small}>
        <code>{scope}</code> · {text.requestedBy(requestedBy.name)} · <Time value={requestedAt} form="date" />
      </p>
    </li>
  )
}
