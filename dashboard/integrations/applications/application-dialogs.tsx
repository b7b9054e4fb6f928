import { useNavigate } from '@tanstack/react-router'
import {
  listApplications,
  readApplication,
  removeApplication,
  updateApplication,
} from '#contract/integrations/applications.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { applicationFormTexts } from './application-form.words.ts'
import { EditApplicationDialog } from './edit-application-dialog.tsx'
import { PrincipalDialog } from './principal-dialog.tsx'
import { ScopesDialog } from './scopes-dialog.tsx'

export type OpenDialog = 'none' | 'edit' | 'scopes' | 'principal' | 'disable' | 'remove'
type DialogProps = { application: Application; onClose: () => void }

const dialogs = {
  edit: EditApplicationDialog,
  scopes: ScopesDialog,
  principal: PrincipalDialog,
  disable: DisableDialog,
  remove: RemoveDialog,
} as const

/** The open dialog of an application. */
export function ApplicationDialogs({ open, ...props }: DialogProps & { open: Exclude<OpenDialog, 'none'> }) {
  const Shown = dialogs[open]
  return <Shown {...props} />
}

function DisableDialog({ application: { id, name }, onClose }: DialogProps) {
  const text = useWords(applicationFormTexts)
  return (
    <ConfirmAction
      operation={updateApplication}
      input={{ params: { id }, body: { status: 'DISABLED' } }}
      refreshes={[readApplication, listApplications]}
      title={text.disableQuestion(name)}
      action={text.disableAction}
      onClose={onClose}
      toast={() => text.disabled(name)}
    >
      {text.disableAbout}
    </ConfirmAction>
  )
}

function RemoveDialog({ application: { id, name, liveKeys }, onClose }: DialogProps) {
  const text = useWords(applicationFormTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  return (
    <ConfirmAction
      operation={removeApplication}
      input={{ params: { id } }}
      refreshes={[listApplications]}
      title={text.removeQuestion(name)}
      action={text.removeAction(name)}
      isDangerous
      nameToType={name}
      onClose={onClose}
      toast={() => text.removed(name)}
      onDone={() => navigate({ to: '/o/$organization/applications', params: { organization: address } })}
    >
      {text.removeAbout(liveKeys)}
    </ConfirmAction>
  )
}
