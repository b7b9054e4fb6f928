import { useState } from 'react'
import {
  grantCriticalScope,
  listOperatedApplications,
  listOperatedScopeRequests,
} from '#contract/integrations/critical-scopes.ts'
import { integrationLimits } from '#contract/integrations/limits.ts'
import { criticalScopes } from '#contract/permissions.ts'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { scopeTexts } from '../scope.words.ts'
import type { Application } from './organization.ts'
import { organizationDialogTexts } from './organization-dialogs.words.ts'

/** Grants a critical scope to an application, with the reason (SCP-5). */
export function GrantScopeDialog({
  organizationId,
  application: { id, name, scopes },
  onClose,
}: {
  organizationId: string
  application: Application
  onClose: () => void
}) {
  const text = useWords(organizationDialogTexts)
  const names = useWords(scopeTexts)
  const grant = useAction(grantCriticalScope, {
    refreshes: [listOperatedApplications, listOperatedScopeRequests],
  })
  const lacking = criticalScopes.filter(scope => !scopes.includes(scope))
  const [scope, setScope] = useState(lacking[0])
  if (!scope)
    return <Confirm title={text.allGranted} action="OK" isOpen onClose={onClose} onConfirm={onClose} />
  return (
    <ReasonDialog
      title={text.grantTitle(name)}
      about={text.grantAbout}
      action={text.grant}
      label={text.reason}
      hint={text.grantReasonHint(integrationLimits.criticalScopeReasonMin)}
      minLength={integrationLimits.criticalScopeReasonMin}
      maxLength={integrationLimits.criticalScopeReason}
      draftOf={{ operation: grantCriticalScope, objectId: id }}
      onClose={onClose}
      onSubmit={async reason => {
        await grant.mutateAsync({
          params: { id: organizationId, applicationId: id },
          body: { scope, reason },
        })
        showToast({ text: text.granted(scope, name) })
      }}
    >
      <Choice
        label={text.scope}
        options={lacking.map(value => ({ value, label: names[value], hint: value }))}
        value={scope}
        onChange={setScope}
      />
    </ReasonDialog>
  )
}
