import { useState } from 'react'
import {
  createInvoiceTemplate,
  listInvoiceTemplates,
  readInvoiceTemplate,
  removeInvoiceTemplate,
  testInvoiceTemplate,
  updateInvoiceTemplate,
} from '#contract/billing/templates.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import type { Template } from './template.ts'
import { TemplateForm } from './template-form.tsx'
import { templateTexts } from './templates.words.ts'

type SheetProps = {
  onClose: () => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** Writes a new template. */
export function NewTemplateSheet({
  onCreated,
  ...sheet
}: SheetProps & { onCreated: (template: Template) => void }) {
  const text = useWords(templateTexts)
  const create = useAction(createInvoiceTemplate, { refreshes: [listInvoiceTemplates] })
  return (
    <Sheet {...sheet} title={text.newTitle}>
      <TemplateForm
        template={undefined}
        onSave={async body => {
          const created = await create.mutateAsync({ body })
          showToast({ text: text.created(created.name) })
          onCreated(created)
        }}
      />
    </Sheet>
  )
}

/** A template: its text, its e-mail, a test, and how it is deleted. */
export function TemplateSheet({ templateId, ...sheet }: SheetProps & { templateId: string }) {
  const text = useWords(templateTexts)
  const { data, error } = useRead(readInvoiceTemplate, { params: { templateId } })
  const update = useAction(updateInvoiceTemplate, { refreshes: [listInvoiceTemplates, readInvoiceTemplate] })
  return (
    <Sheet {...sheet} title={data?.name ?? text.title}>
      {!data && <ReadingSection error={error} label={text.reading} />}
      {data && (
        <>
          <TemplateForm
            key={data.updatedAt}
            template={data}
            onSave={async body => {
              await update.mutateAsync({ params: { templateId }, body })
              showToast({ text: text.saved })
            }}
          />
          <TemplateActions template={data} onRemoved={sheet.onClose} />
        </>
      )}
    </Sheet>
  )
}

function TemplateActions({ template, onRemoved }: { template: Template; onRemoved: () => void }) {
  const text = useWords(templateTexts)
  const may = useMay()
  const { email } = useOrganization().caller.person
  const [isRemoving, setRemoving] = useState(false)
  const test = useAction(testInvoiceTemplate, { refreshes: [] })
  const params = { templateId: template.id }
  if (!may(testInvoiceTemplate)) return null
  return (
    <SheetSection>
      <div className={styles.actions}>
        <Button
          icon="mail"
          isBusy={test.isPending}
          onPress={() =>
            test.mutate(
              { params },
              {
                toast: ({ recipient }) => text.tested(recipient),
                toastsFailure: true,
              },
            )
          }
        >
          {text.testAction(email)}
        </Button>
        <Button kind="danger" onPress={() => setRemoving(true)}>
          {text.remove}
        </Button>
      </div>
      <p className={styles.quiet}>{text.testHint}</p>
      {isRemoving && (
        <ConfirmAction
          operation={removeInvoiceTemplate}
          input={{ params }}
          refreshes={[listInvoiceTemplates]}
          title={text.removeQuestion(template.name)}
          action={text.removeAction(template.name)}
          isDangerous
          onClose={() => setRemoving(false)}
          toast={() => text.removed(template.name)}
          onDone={onRemoved}
        >
          {template.isDefault ? text.removeDefaultAbout : text.removeAbout}
        </ConfirmAction>
      )}
    </SheetSection>
  )
}
