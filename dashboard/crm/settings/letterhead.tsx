import type { Issuer } from '#contract/crm/issuer.ts'
import { readLetterhead, updateLetterhead } from '#contract/crm/letterhead.ts'
import { useDraft } from '../../data/drafts.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Section } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { textsOf } from './letterhead.rules.ts'
import { letterheadTexts } from './letterhead.words.ts'
import { LetterheadForm } from './letterhead-form.tsx'
import { LetterheadLogo } from './letterhead-logo.tsx'
import { LetterheadPreview } from './letterhead-preview.tsx'

/** How budgets and invoices look (ISS-6): the form, or only its preview for people who cannot change it. */
export function LetterheadSettings({ issuer }: { issuer: Issuer | null }) {
  const text = useWords(letterheadTexts)
  const language = useLanguage()
  const may = useMay()
  const organization = useOrganization()
  const { data, error, refetch } = useRead(readLetterhead)
  const draft = useDraft(updateLetterhead)
  const sender = issuer?.legalName ?? organization.name
  return (
    <Section title={text.title} about={text.about}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && !may(updateLetterhead) && (
        <LetterheadPreview sender={sender} letterhead={textsOf(data)} logo={data.logo} />
      )}
      {data && may(updateLetterhead) && draft.isLoaded && (
        <LetterheadForm
          sender={sender}
          letterhead={data}
          draft={draft}
          readAgain={async () => (await refetch({ throwOnError: true })).data ?? data}
        >
          <LetterheadLogo logo={data.logo} />
        </LetterheadForm>
      )}
    </Section>
  )
}
