import { useOrganization } from '../../data/organization.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Person } from '../../parts/person.tsx'
import { Tag, Tags } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { filteredHref } from './asset-search.ts'
import { AssetStatus } from './asset-status.tsx'
import styles from './assets.module.css'

/** The facts about an asset, beside its text. */
export function AssetFacts({
  asset,
  hasDescription = true,
}: {
  asset: Asset
  /** False where the description is shown already. */
  hasDescription?: boolean
}) {
  const text = useWords(assetTexts)
  const { address } = useOrganization()
  const { type, visibility, tags, author, currentVersion, usageCount, updatedAt, createdAt } = asset
  return (
    <Facts
      facts={[
        hasDescription && { term: text.description, value: asset.description },
        { term: text.status, value: <AssetStatus asset={asset} /> },
        { term: text.type, value: text[type] },
        { term: text.version, value: currentVersion.version },
        { term: text.visibility, value: text[visibility] },
        {
          term: text.tags,
          value: tags.length > 0 && (
            <Tags>
              {tags.map(tag => (
                <a key={tag} href={filteredHref(address, { tag })} className={styles.tagLink}>
                  <Tag>{tag}</Tag>
                </a>
              ))}
            </Tags>
          ),
        },
        { term: text.author, value: <Person name={author.name} /> },
        { term: text.used, value: usageCount },
        { term: text.access, value: text[asset.access] },
        { term: text.slug, value: <code className={styles.slug}>{asset.slug}</code> },
        { term: text.updated, value: <Time value={updatedAt} isFocusable /> },
        { term: text.created, value: <Time value={createdAt} form="date" /> },
      ]}
    />
  )
}
