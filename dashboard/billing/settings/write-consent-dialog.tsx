import { useState } from 'react'
import { listConsentTexts, writeConsentText } from '#contract/billing/consent.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { consentTexts } from './consent.words.ts'
import { type ConsentText, languageName } from './consent-version.ts'

type Props = {
  /** The current texts, to begin from. */
  texts: readonly ConsentText[]
  onClose: () => void
}

/** Writes a new version of the text of a locale. An unpublished text comes back when the dialog opens again. */
export function WriteConsentDialog(props: Props) {
  const draft = useDraft(writeConsentText)
  return draft.isLoaded ? <WriteConsentForm {...props} draft={draft} /> : null
}

function WriteConsentForm({
  texts,
  onClose,
  draft,
}: Props & { draft: ReturnType<typeof useDraft<typeof writeConsentText>> }) {
  const text = useWords(consentTexts)
  const language = useLanguage()
  const textOf = (wanted: string) => texts.find(({ locale }) => locale === wanted)?.text ?? ''
  const [locale, setLocale] = useState(draft.values?.locale ?? language)
  const [body, setBody] = useState(draft.values?.text ?? textOf(locale))
  const [isAsking, setAsking] = useState(false)
  const write = useAction(writeConsentText, { refreshes: [listConsentTexts] })
  const name = languageName(locale, language)
  function change(next: { locale?: string; text?: string }): void {
    const changed = { locale, text: body, ...next }
    // the current text of another locale replaces one that nobody touched
    if (next.locale !== undefined && body === textOf(locale)) changed.text = textOf(next.locale)
    setLocale(changed.locale)
    setBody(changed.text)
    draft.save(changed)
  }
  return (
    <Dialog title={text.writeTitle} isOpen onClose={onClose} keepsInput size="wide">
      <ActionForm onSubmit={async () => setAsking(true)}>
        {() => (
          <>
            <Notice>{text.mustSay}</Notice>
            <TextField
              {...fieldOf(writeConsentText, 'locale')}
              label={text.locale}
              value={locale}
              onChange={next => change({ locale: next })}
              pattern="[a-z]{2}(-[A-Z]{2})?"
              hint={text.localeHint}
              autoComplete="off"
              spellCheck="false"
            />
            <TextField
              {...fieldOf(writeConsentText, 'text')}
              label={text.text}
              value={body}
              onChange={next => change({ text: next })}
              rows={10}
            />
            <FormActions onLeave={onClose} action={text.next} />
          </>
        )}
      </ActionForm>
      {isAsking && (
        <Confirm
          title={text.question(name)}
          action={text.publish(name)}
          isOpen
          onClose={() => setAsking(false)}
          isBusy={write.isPending}
          error={write.error && <Notice kind="danger">{textOfError(write.error, language)}</Notice>}
          onConfirm={() =>
            write.mutate(
              { body: { locale, text: body } },
              {
                onSuccess: () => {
                  draft.clear()
                  onClose()
                },
                toast: ({ version }) => text.published(name, version),
              },
            )
          }
        >
          {text.questionAbout}
        </Confirm>
      )}
    </Dialog>
  )
}
