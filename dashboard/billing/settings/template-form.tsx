import { useState } from 'react'
import { createInvoiceTemplate, templateVariables } from '#contract/billing/templates.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import type { Template } from './template.ts'
import { TemplatePreview } from './template-preview.tsx'
import { templateTexts } from './templates.words.ts'

type Fields = { name: string; subject: string; body: string; isDefault?: boolean }

type FormProps = {
  /** Undefined for a new one. */
  template: Template | undefined
  onSave: (fields: Fields) => Promise<void>
}

/** The fields of a template, and below them the e-mail as it would be sent. Unsaved text comes back. */
export function TemplateForm(props: FormProps) {
  const draft = useDraft(createInvoiceTemplate, props.template?.id)
  return draft.isLoaded ? <LoadedForm {...props} draft={draft} /> : null
}

function LoadedForm({
  template,
  onSave,
  draft,
}: FormProps & { draft: ReturnType<typeof useDraft<typeof createInvoiceTemplate>> }) {
  const text = useWords(templateTexts)
  const mayWrite = useMay()(createInvoiceTemplate)
  const [typed, setTyped] = useState<Fields>({
    name: draft.values?.name ?? template?.name ?? '',
    subject: draft.values?.subject ?? template?.subject ?? '',
    body: draft.values?.body ?? template?.body ?? '',
  })
  const [isDefault, setDefault] = useState(template?.isDefault ?? false)
  const [isRestored, setRestored] = useState(draft.values !== undefined)
  function discard(): void {
    draft.clear()
    setRestored(false)
    setTyped({ name: template?.name ?? '', subject: template?.subject ?? '', body: template?.body ?? '' })
  }
  function change(changed: Partial<Fields>): void {
    const next = { ...typed, ...changed }
    setTyped(next)
    draft.save(next)
  }
  const fieldProps = (name: 'name' | 'subject' | 'body') => ({
    ...fieldOf(createInvoiceTemplate, name),
    label: text[name],
    value: typed[name],
    isReadOnly: !mayWrite,
    onChange: (value: string) => change({ [name]: value }),
    autoComplete: 'off',
  })
  return (
    <>
      <SheetSection>
        <ActionForm
          aria-label={template?.name ?? text.newTitle}
          onSubmit={async () => {
            await onSave({ ...typed, ...(isDefault && !template?.isDefault && { isDefault }) })
            draft.clear()
          }}
        >
          {({ isBusy }) => (
            <>
              {isRestored && (
                <Notice>
                  {text.restored}{' '}
                  <Button kind="quiet" size="small" onPress={discard}>
                    {text.discard}
                  </Button>
                </Notice>
              )}
              <TextField {...fieldProps('name')} autoFocus={template === undefined} />
              <TextField {...fieldProps('subject')} />
              <TextField {...fieldProps('body')} rows={9} hint={text.after} />
              {mayWrite && (
                <>
                  <div>
                    <p className={styles.quiet}>{text.variables}</p>
                    <div className={styles.variables}>
                      {templateVariables.map(name => (
                        <Button
                          key={name}
                          size="small"
                          aria-label={text.insert(`{{${name}}}`)}
                          onPress={() => change({ body: `${typed.body}{{${name}}}` })}
                        >
                          {`{{${name}}}`}
                        </Button>
                      ))}
                    </div>
                  </div>
                  <Checkbox
                    isSelected={isDefault}
                    onChange={setDefault}
                    isDisabled={template?.isDefault ?? false}
                    hint={template?.isDefault ? text.isDefaultHint : text.makeDefaultHint}
                  >
                    {text.makeDefault}
                  </Checkbox>
                  <div>
                    <Button type="submit" kind="primary" isBusy={isBusy}>
                      {template ? text.save : text.createAction}
                    </Button>
                  </div>
                </>
              )}
            </>
          )}
        </ActionForm>
      </SheetSection>
      <SheetSection>
        <TemplatePreview subject={typed.subject} body={typed.body} />
      </SheetSection>
    </>
  )
}
