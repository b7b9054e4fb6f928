import { useState } from 'react'
import { listOrganizations, openOrganization } from '#contract/identity/operator.ts'
import { plans } from '#contract/permissions.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Organization } from './organization.ts'
import { organizationDialogTexts } from './organization-dialogs.words.ts'
import { planOptions } from './plan-options.ts'

type Props = { onClose: () => void; onCreated: (organization: Organization) => void }
type Draft = ReturnType<typeof useDraft<typeof openOrganization>>

/** Creates an organization and invites its owner. Input that was not sent comes back. */
export function CreateOrganizationDialog(props: Props) {
  const draft = useDraft(openOrganization)
  return draft.isLoaded ? <CreateForm {...props} draft={draft} /> : null
}

function CreateForm({ onClose, onCreated, draft }: Props & { draft: Draft }) {
  const text = useWords(organizationDialogTexts)
  const language = useLanguage()
  const create = useAction(openOrganization, { refreshes: [listOrganizations] })
  const [values, setValues] = useState({
    name: draft.values?.name ?? '',
    plan: draft.values?.plan ?? plans[0],
    ownerEmail: draft.values?.ownerEmail ?? '',
    ownerName: draft.values?.ownerName ?? '',
  })
  function change(changed: Partial<typeof values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save(next)
  }
  async function send(): Promise<void> {
    const { name, plan, ownerEmail, ownerName } = values
    const { organization, invitation } = await create.mutateAsync({
      body: { name: name.trim(), plan, ownerEmail, ...(ownerName.trim() && { ownerName: ownerName.trim() }) },
    })
    draft.clear()
    showToast(
      invitation.mailSent
        ? { text: text.created(organization.name, ownerEmail) }
        : { kind: 'failed', text: text.notMailed(ownerEmail) },
    )
    onClose()
    onCreated(organization)
  }
  return (
    <Dialog title={text.createTitle} isOpen onClose={onClose} keepsInput>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(openOrganization, 'name')}
              label={text.name}
              value={values.name}
              onChange={name => change({ name })}
              autoComplete="off"
            />
            <Choice
              label={text.plan}
              options={planOptions(language)}
              value={values.plan}
              onChange={plan => change({ plan })}
            />
            <TextField
              {...fieldOf(openOrganization, 'ownerEmail')}
              label={text.ownerEmail}
              value={values.ownerEmail}
              onChange={ownerEmail => change({ ownerEmail })}
              autoComplete="off"
            />
            <TextField
              {...fieldOf(openOrganization, 'ownerName')}
              label={text.ownerName}
              hint={text.ownerNameHint}
              value={values.ownerName}
              onChange={ownerName => change({ ownerName })}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={text.create} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
