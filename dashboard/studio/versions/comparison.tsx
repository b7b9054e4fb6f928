import { diffVersions } from '#contract/studio/versions.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { VersionChanges } from './version-changes.tsx'
import styles from './versions.module.css'
import { versionTexts } from './versions.words.ts'

/** Compares two versions of an asset; the address has both numbers. */
export function Comparison({
  assetId,
  from,
  to,
  swapHref,
  listHref,
  onClose,
}: {
  assetId: string
  from: string
  to: string
  swapHref: string
  listHref: string
  onClose: () => void
}) {
  const text = useWords(versionTexts)
  const language = useLanguage()
  const { data, error, refetch } = useRead(diffVersions, { params: { id: assetId, a: from, b: to } })
  useShortcuts({ escape: { label: text.back, action: onClose } }, text.comparison(from, to))
  return (
    <div className={styles.comparison}>
      <header className={styles.head}>
        <h2 className={styles.heading}>{text.comparison(from, to)}</h2>
        <ButtonLink size="small" icon="reconciliation" href={swapHref}>
          {text.swap}
        </ButtonLink>
        <ButtonLink size="small" kind="quiet" href={listHref}>
          {text.back}
        </ButtonLink>
      </header>
      {data && <VersionChanges difference={data} />}
      {!data && error && (
        <Problem
          title={textOfError(error, language)}
          action={<Button onPress={() => void refetch()}>{text.again}</Button>}
        />
      )}
      {!data && !error && <Skeleton rows={6} label={text.reading} />}
    </div>
  )
}
