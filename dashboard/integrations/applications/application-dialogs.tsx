import { useNavigate } from '@tanstack/react-router'
import {
  listApplications,
  readApplication,
  removeApplication,
  updateApplication,
} from '#contract/integrations/applications.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
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
  const language = useLanguage()
  const update = useAction(updateApplication, { refreshes: [readApplication, listApplications] })
  return (
    <Confirm
      title={text.disableQuestion(name)}
      action={text.disableAction}
      isOpen
      onClose={onClose}
      isBusy={update.isPending}
      error={update.error && <Notice kind="danger">{textOfError(update.error, language)}</Notice>}
      onConfirm={() =>
        update.mutate(
          { params: { id }, body: { status: 'DISABLED' } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.disabled(name) })
            },
          },
        )
      }
    >
      {text.disableAbout}
    </Confirm>
  )
}

function RemoveDialog({ application: { id, name, liveKeys }, onClose }: DialogProps) {
  const text = useWords(applicationFormTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const remove = useAction(removeApplication, { refreshes: [listApplications] })
  return (
    <Confirm
      title={text.removeQuestion(name)}
      action={text.removeAction(name)}
      isDangerous
      nameToType={name}
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: async () => {
              await navigate({ to: '/o/$organization/applications', params: { organization: address } })
              showToast({ text: text.removed(name) })
            },
          },
        )
      }
    >
      {text.removeAbout(liveKeys)}
    </Confirm>
  )
}
