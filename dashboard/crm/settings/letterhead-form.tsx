import { type ReactNode, useState } from 'react'
import { type Letterhead, readLetterhead, updateLetterhead } from '#contract/crm/letterhead.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import type { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { decimalText } from '../../parts/number-text.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { StoredDraftNotice, useDraftFields } from '../draft-fields.tsx'
import formStyles from '../forms.module.css'
import styles from './letterhead.module.css'
import { changedFields, fieldsOf, ibanInGroups, type LetterheadTexts, textsOf } from './letterhead.rules.ts'
import { letterheadTexts } from './letterhead.words.ts'
import { LetterheadPreview, standardColor } from './letterhead-preview.tsx'

type FormProps = {
  /** The name that documents show without a logo. */
  sender: string
  letterhead: Letterhead
  draft: ReturnType<typeof useDraft<typeof updateLetterhead>>
  /** Reads what is stored now. */
  readAgain: () => Promise<Letterhead>
  /** Stands above the fields. */
  children: ReactNode
}

/** Sets the letterhead, with a preview of an invoice that follows what is typed. */
export function LetterheadForm(props: FormProps) {
  const { draft, letterhead } = props
  const fields = useDraftFields(draft, updateLetterhead, textsOf(letterhead))
  return <Fields key={fields.formKey} {...props} fields={fields} />
}

function Fields({
  sender,
  letterhead,
  draft,
  readAgain,
  children,
  fields: { initialOf, keep, storedAt, discard },
}: FormProps & { fields: ReturnType<typeof useDraftFields> }) {
  const text = useWords(letterheadTexts)
  const language = useLanguage()
  const update = useAction(updateLetterhead, { refreshes: [readLetterhead] })
  const [before, setBefore] = useState(() => textsOf(letterhead))
  const [texts, setTexts] = useState<LetterheadTexts>(() => ({
    accentColor: initialOf('accentColor'),
    accountHolder: initialOf('accountHolder'),
    iban: initialOf('iban'),
    bic: initialOf('bic'),
    footer: initialOf('footer'),
  }))

  function set(name: keyof LetterheadTexts, value: string): void {
    setTexts({ ...texts, [name]: value })
    keep(name, value)
  }
  async function save(): Promise<void> {
    const saved = await update.mutateAsync({ body: changedFields(before, texts, await readAgain()) })
    draft.clear()
    setBefore(textsOf(saved))
    setTexts(textsOf(saved))
    showToast({ text: text.saved })
  }
  const field = (name: keyof LetterheadTexts) => ({
    ...fieldOf(updateLetterhead, name),
    // every field may be empty
    isRequired: false,
    value: texts[name],
    onChange: (value: string) => set(name, value),
    autoComplete: 'off',
  })
  const contrast = decimalText(crmLimits.letterheadContrast, 3, language)
  const reasons: Readonly<Record<string, string>> = {
    'accentColor contrast': text.colorTooLight(contrast),
    'accentColor pattern': text.colorFormat,
    'iban format': text.ibanRefused,
    'iban pattern': text.ibanRefused,
    'bic pattern': text.bicRefused,
    'footer maxLines': text.footerRefused,
  }
  return (
    <div className={styles.columns}>
      <ActionForm
        onSubmit={save}
        reasonOf={({ path, code }) => reasons[`${path} ${code}`]}
        aria-label={text.title}
      >
        {({ isBusy }) => (
          <div className={formStyles.fields}>
            <StoredDraftNotice storedAt={storedAt} discard={discard} />
            {children}
            <div className={styles.color}>
              <TextField
                {...field('accentColor')}
                label={text.accentColor}
                hint={text.accentColorHint}
                spellCheck="false"
              />
              <input
                type="color"
                className={styles.picker}
                aria-label={text.accentColorPick}
                value={pickable(fieldsOf(texts).accentColor)}
                onChange={event => set('accentColor', event.target.value)}
              />
            </div>
            <TextField {...field('accountHolder')} label={text.accountHolder} hint={text.accountHolderHint} />
            <TextField
              {...field('iban')}
              label={text.iban}
              hint={text.ibanHint}
              onBlur={() => setTexts({ ...texts, iban: ibanInGroups(texts.iban) })}
              spellCheck="false"
            />
            <TextField {...field('bic')} label={text.bic} spellCheck="false" />
            <TextField {...field('footer')} label={text.footer} hint={text.footerHint} rows={4} />
            <div>
              <Button type="submit" kind="primary" isBusy={isBusy}>
                {text.save}
              </Button>
            </div>
          </div>
        )}
      </ActionForm>
      <LetterheadPreview sender={sender} letterhead={texts} logo={letterhead.logo} />
    </div>
  )
}

/** The colour for the picker of the browser, which knows no other texts. */
function pickable(color: string | null): string {
  return color !== null && /^#[0-9a-f]{6}$/.test(color) ? color : standardColor
}
