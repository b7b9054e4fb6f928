import { useState } from 'react'
import { listApplications, readApplication, updateApplication } from '#contract/integrations/applications.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { ApplicationFields, originsOf } from './application-fields.tsx'
import { applicationFormTexts } from './application-form.words.ts'

/** Changes the name, short name, description and origins of an application. */
export function EditApplicationDialog({
  application,
  onClose,
}: {
  application: Application
  onClose: () => void
}) {
  const text = useWords(applicationFormTexts)
  const [values, setValues] = useState({
    name: application.name,
    slug: application.slug,
    description: application.description ?? '',
    origins: application.origins.join('\n'),
  })
  const update = useAction(updateApplication, { refreshes: [readApplication, listApplications] })
  return (
    <Dialog title={text.editTitle(application.name)} isOpen onClose={onClose}>
      <ActionForm
        onSubmit={async () => {
          const { name } = await update.mutateAsync({
            params: { id: application.id },
            body: {
              name: values.name.trim(),
              slug: values.slug.trim(),
              description: values.description.trim() || null,
              origins: originsOf(values),
            },
          })
          showToast({ text: text.saved(name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <ApplicationFields
              values={values}
              onChange={changed => setValues(former => ({ ...former, ...changed }))}
            />
            <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
