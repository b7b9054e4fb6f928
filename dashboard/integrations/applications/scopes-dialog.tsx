import { useState } from 'react'
import { readApplication, updateApplication } from '#contract/integrations/applications.ts'
import { scopes as allScopes, type Scope } from '#contract/permissions.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import styles from '../integrations.module.css'
import { ScopeField } from './scope-field.tsx'
import { scopesTexts } from './scopes.words.ts'

/** Changes the scopes of an application. Critical ones can only be removed (SCP-6). */
export function ScopesDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const text = useWords(scopesTexts)
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(application.scopes))
  const update = useAction(updateApplication, { refreshes: [readApplication] })
  const isSame =
    chosen.size === application.scopes.length && application.scopes.every(scope => chosen.has(scope))
  return (
    <Dialog title={text.changeTitle(application.name)} isOpen onClose={onClose} size="wide">
      <ActionForm
        onSubmit={async () => {
          if (isSame) return onClose()
          await update.mutateAsync({
            params: { id: application.id },
            body: { scopes: allScopes.filter(scope => chosen.has(scope)) },
          })
          showToast({ text: text.saved(application.name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <ScopeField chosen={chosen} held={application.scopes} onChange={setChosen} />
            <div className={styles.end}>
              <span className={styles.quiet}>{text.chosen(chosen.size)}</span>
              <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
            </div>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
