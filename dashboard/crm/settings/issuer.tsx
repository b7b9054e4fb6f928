import { type Issuer, readIssuer, updateIssuer } from '#contract/crm/issuer.ts'
import { useDraft } from '../../data/drafts.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { countryName } from '../countries.ts'
import { IssuerForm } from './issuer-form.tsx'
import { LetterheadSettings } from './letterhead.tsx'
import styles from './settings.module.css'
import { issuerTexts } from './settings.words.ts'

/** The legal identity of the organization on documents (ISS-1), with a warning while it is missing. */
export function IssuerSettings() {
  const text = useWords(issuerTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(readIssuer)
  const draft = useDraft(updateIssuer)
  return (
    <Page title={text.title}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && (
        <>
          <p className={styles.about}>
            {text.about} {text.appliesTo}
          </p>
          {data.issuer === null && (
            <div className={styles.note}>
              <Notice kind="warn">
                <p>{text.missing}</p>
                <p>{text.missingAbout}</p>
              </Notice>
            </div>
          )}
          {!may(updateIssuer) && <ReadOnly issuer={data.issuer} />}
          {may(updateIssuer) && draft.isLoaded && <IssuerForm issuer={data.issuer} draft={draft} />}
          <div className={styles.letterhead}>
            <LetterheadSettings issuer={data.issuer} />
          </div>
        </>
      )}
    </Page>
  )
}

function ReadOnly({ issuer }: { issuer: Issuer | null }) {
  const text = useWords(issuerTexts)
  const language = useLanguage()
  return (
    <>
      <div className={styles.note}>
        <Notice>{text.readOnly}</Notice>
      </div>
      {issuer && (
        <Facts
          facts={[
            { term: text.legalName, value: issuer.legalName },
            { term: text.taxId, value: issuer.taxId },
            { term: text.street, value: issuer.address },
            { term: text.city, value: `${issuer.postalCode} ${issuer.city}` },
            { term: text.country, value: countryName(issuer.country, language) },
            { term: text.email, value: issuer.email },
            { term: text.phone, value: issuer.phone },
            { term: text.currency, value: issuer.currency.toUpperCase() },
          ]}
        />
      )}
    </>
  )
}
