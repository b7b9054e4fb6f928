import { useState } from 'react'
import { listMembers } from '#contract/identity/organization.ts'
import { listApplications, readApplication, updateApplication } from '#contract/integrations/applications.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { PersonPicker } from '../../parts/combo.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { applicationFormTexts } from './application-form.words.ts'

/** Names another principal of an application. Only an administrator can name somebody else (APP-6). */
export function PrincipalDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const text = useWords(applicationFormTexts)
  const { caller } = useOrganization()
  const [principalId, setPrincipalId] = useState<string | null>(
    caller.isAdministrator ? null : caller.person.id,
  )
  const [lacksPerson, setLacksPerson] = useState(false)
  const update = useAction(updateApplication, { refreshes: [readApplication, listApplications] })
  async function send(): Promise<void> {
    if (principalId === null) return setLacksPerson(true)
    const { principal, name } = await update.mutateAsync({
      params: { id: application.id },
      body: { principalId },
    })
    showToast({ text: text.principalSaved(principal.name, name) })
    onClose()
  }
  return (
    <Dialog title={text.principalTitle(application.name)} isOpen onClose={onClose}>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {lacksPerson && principalId === null && <Notice kind="danger">{text.principalMissing}</Notice>}
            <p>{text.principalAbout}</p>
            {caller.isAdministrator ? (
              <MemberField onChange={setPrincipalId} />
            ) : (
              <Notice>{text.becomePrincipal}</Notice>
            )}
            <FormActions
              onLeave={onClose}
              action={caller.isAdministrator ? text.principalSave : text.becomeAction}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** A member of the organization, found on the server by name or e-mail. */
function MemberField({ onChange }: { onChange: (id: string | null) => void }) {
  const text = useWords(applicationFormTexts)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const found = useList(listMembers, { query: { limit: 20, ...(typed !== '' && { search: typed }) } })
  return (
    <PersonPicker
      label={text.principal}
      hint={text.principalHint}
      people={found.items.map(({ personId, name, email }) => ({ id: personId, name, email }))}
      isLoading={found.isLoading}
      search={typed}
      onSearch={setTyped}
      value={chosen}
      onChange={(id, item) => {
        setChosen(id)
        onChange(id)
        if (item) setTyped(item.label)
      }}
    />
  )
}
