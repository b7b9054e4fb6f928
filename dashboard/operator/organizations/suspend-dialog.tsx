import { identityLimits } from '#contract/identity/limits.ts'
import {
  getOperatedOrganization,
  listOrganizations,
  updateOperatedOrganization,
} from '#contract/identity/operator.ts'
import { useAction } from '../../data/read.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { Organization } from './organization.ts'
import { organizationDialogTexts } from './organization-dialogs.words.ts'

/** Suspends an organization, with the reason. */
export function SuspendDialog({
  organization: { id, name },
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const text = useWords(organizationDialogTexts)
  const update = useAction(updateOperatedOrganization, {
    refreshes: [listOrganizations, getOperatedOrganization],
  })
  return (
    <ReasonDialog
      title={text.suspendTitle(name)}
      about={text.suspendAbout}
      action={text.suspend}
      isDangerous
      label={text.reason}
      hint={text.reasonHint(identityLimits.operatorReasonMin)}
      minLength={identityLimits.operatorReasonMin}
      maxLength={identityLimits.operatorReason}
      draftOf={{ operation: updateOperatedOrganization, objectId: id }}
      onClose={onClose}
      onSubmit={async reason => {
        await update.mutateAsync({ params: { id }, body: { suspended: true, reason } })
        showToast({ text: text.suspended(name) })
      }}
    />
  )
}
