import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Section } from '../../parts/page.tsx'
import { useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import styles from './assets.module.css'
import { useTexts } from './use.words.ts'
import { UseForm } from './use-form.tsx'

/** How people and tools use an asset. */
export function UseTab({ asset }: { asset: Asset }) {
  const text = useWords(useTexts)
  return (
    <div className={styles.tab}>
      <Section title={text.title(asset.name)}>
        <UseForm asset={asset} />
      </Section>
      <Section title={text.counters} about={text.usesAbout}>
        <p>
          {text.uses(asset.usageCount)} · {text.ratings(asset.thumbsUp, asset.thumbsDown)}
        </p>
      </Section>
      <Section title={text.tools} about={text.toolsAbout}>
        <ToolFacts asset={asset} />
      </Section>
    </div>
  )
}

function ToolFacts({ asset: { type, slug, status, publishedVersion } }: { asset: Asset }) {
  const text = useWords(useTexts)
  const may = useMay()
  const { address } = useOrganization()
  if (status === 'ARCHIVED') return <p>{text.archived}</p>
  if (publishedVersion === null) return <p>{text.notPublished}</p>
  const isPrompt = type === 'PROMPT' || type === 'COMMAND'
  const resource = type === 'SKILL' ? `skill://${slug}/SKILL.md` : `patio://assets/${slug}`
  return (
    <div className={styles.stack}>
      <Facts
        facts={[
          { term: text.offered, value: publishedVersion },
          isPrompt && { term: text.promptName, value: <Id value={slug} /> },
          { term: text.resource, value: <Id value={resource} /> },
        ]}
      />
      {may(createPersonalToken) && (
        <p>
          <ButtonLink href={`/o/${encodeURIComponent(address)}/settings/tokens`}>{text.token}</ButtonLink>
        </p>
      )}
    </div>
  )
}
