import { useState } from 'react'
import { createApplication, listApplications } from '#contract/integrations/applications.ts'
import { scopes as allScopes, type Scope } from '#contract/permissions.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import { ApplicationFields, type ApplicationValues, OriginsField, originsOf } from './application-fields.tsx'
import { applicationFormTexts } from './application-form.words.ts'
import { ScopeField } from './scope-field.tsx'
import { scopesTexts } from './scopes.words.ts'

type Values = Omit<ApplicationValues, 'slug'> & { scopes: readonly Scope[] }
type CreateApplicationDialogProps = { onClose: () => void; onCreated: (id: string) => void }

/** Registers an application. Typed values that were not sent come back when the dialog opens again. */
export function CreateApplicationDialog(props: CreateApplicationDialogProps) {
  const draft = useDraft<typeof createApplication, Values>(createApplication)
  return draft.isLoaded ? <CreateApplicationForm {...props} draft={draft} /> : null
}

function CreateApplicationForm({
  onClose,
  onCreated,
  draft,
}: CreateApplicationDialogProps & { draft: ReturnType<typeof useDraft<typeof createApplication, Values>> }) {
  const text = useWords(applicationFormTexts)
  const scopeText = useWords(scopesTexts)
  const [values, setValues] = useState<Values>({
    name: '',
    description: '',
    origins: '',
    scopes: [],
    ...draft.values,
  })
  const create = useAction(createApplication, { refreshes: [listApplications] })
  function change(changed: Partial<Values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save(next)
  }
  async function send(): Promise<void> {
    const { id, name } = await create.mutateAsync({
      body: {
        name: values.name.trim(),
        description: values.description.trim() || null,
        origins: originsOf(values),
        scopes: allScopes.filter(scope => values.scopes.includes(scope)),
      },
    })
    draft.clear()
    showToast({ text: text.created(name) })
    onClose()
    onCreated(id)
  }
  return (
    <Dialog title={text.createTitle} isOpen onClose={onClose} size="wide" keepsInput>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <ApplicationFields values={{ ...values, slug: '' }} onChange={change} isNew />
            <div>
              <h3 className={styles.title}>{text.scopes}</h3>
              <p className={styles.quiet}>{text.scopesAbout}</p>
            </div>
            <ScopeField
              chosen={new Set(values.scopes)}
              held={[]}
              onChange={chosen => change({ scopes: [...chosen] })}
            />
            <OriginsField value={values.origins} onChange={origins => change({ origins })} />
            <div className={styles.end}>
              <span className={styles.quiet}>{scopeText.chosen(values.scopes.length)}</span>
              <FormActions onLeave={onClose} action={text.create} isBusy={isBusy} />
            </div>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
