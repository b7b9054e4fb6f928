import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { consentTexts } from './consent.words.ts'
import { type ConsentText, languageName } from './consent-version.ts'
import styles from './settings.module.css'

/** A version of the consent text, whole, with its digest. */
export function ConsentSheet({
  consent,
  isCurrent,
  isLoading,
  ...sheet
}: {
  consent: ConsentText | undefined
  isCurrent: boolean
  isLoading: boolean
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(consentTexts)
  const language = useLanguage()
  if (!consent)
    return (
      <Sheet {...sheet} title={text.title}>
        <SheetSection>
          {isLoading ? <Skeleton rows={4} label={text.reading} /> : <p>{text.notListed}</p>}
        </SheetSection>
      </Sheet>
    )
  const { locale, version, createdAt, sha256 } = consent
  return (
    <Sheet {...sheet} title={text.versionOf(languageName(locale, language), version)}>
      <SheetSection>
        <Notice kind={isCurrent ? 'done' : 'info'}>{isCurrent ? text.currentAbout : text.formerAbout}</Notice>
      </SheetSection>
      <SheetSection>
        <p className={styles.consent} lang={locale}>
          {consent.text}
        </p>
      </SheetSection>
      <SheetSection>
        <Facts
          facts={[
            createdAt !== null && { term: text.since, value: <Time value={createdAt} form="moment" /> },
            { term: text.digest, value: <Id value={sha256} /> },
          ]}
        />
      </SheetSection>
    </Sheet>
  )
}
