import {
  answerScopeRequest,
  listOperatedApplications,
  listOperatedScopeRequests,
} from '#contract/integrations/critical-scopes.ts'
import { integrationLimits } from '#contract/integrations/limits.ts'
import { useAction } from '../../data/read.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { Decision, ScopeRequest } from './scope-request.tsx'
import styles from './scopes.module.css'
import { scopeRequestTexts } from './scopes.words.ts'

/** Grants or refuses a requested scope, with a reason that the organization reads (SCP-11). */
export function AnswerDialog({
  request: { id, scope, applicationName, organizationName, purpose },
  decision,
  onClose,
}: {
  request: ScopeRequest
  decision: Decision
  onClose: () => void
}) {
  const text = useWords(scopeRequestTexts)
  const answer = useAction(answerScopeRequest, {
    refreshes: [listOperatedScopeRequests, listOperatedApplications],
  })
  const isGrant = decision === 'GRANT'
  return (
    <ReasonDialog
      title={isGrant ? text.grantTitle(scope) : text.refuseTitle(scope)}
      about={
        <>
          <p className={`${styles.quiet} ${styles.purpose}`}>{purpose}</p>
          <p>
            {isGrant
              ? text.grantAbout(applicationName, organizationName)
              : text.refuseAbout(organizationName)}
          </p>
        </>
      }
      action={isGrant ? text.grantAction : text.refuseAction}
      label={text.reason}
      hint={text.reasonHint(integrationLimits.criticalScopeReasonMin)}
      minLength={integrationLimits.criticalScopeReasonMin}
      maxLength={integrationLimits.criticalScopeReason}
      draftOf={{ operation: answerScopeRequest, objectId: `${id}-${decision}` }}
      onClose={onClose}
      onSubmit={async reason => {
        await answer.mutateAsync({ params: { requestId: id }, body: { decision, reason } })
        showToast({ text: isGrant ? text.granted(scope, applicationName) : text.refused(scope) })
      }}
    />
  )
}
