import { useId } from 'react'
import type { Asset } from '#contract/studio/assets.ts'
import { Skeleton } from '../../parts/states.tsx'
import { Tag } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { assetTexts } from '../assets/asset.words.ts'
import { type Reader, readersOf } from './share.rules.ts'
import styles from './shares.module.css'
import { shareTexts } from './shares.words.ts'

/** The people who have access to an asset without a share, and the reason for each. */
export function WhoReads({
  asset,
  departments,
  isLoading,
}: {
  asset: Asset
  /** The names of departments by their ids. */
  departments: ReadonlyMap<string, string>
  isLoading: boolean
}) {
  const text = useWords(shareTexts)
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {text.readers}
      </h2>
      {isLoading ? (
        <Skeleton rows={3} label={text.readers} />
      ) : (
        <ul>
          {readersOf(asset, departments).map(reader => (
            <li key={reader.why} className={styles.reader}>
              <ReaderWords reader={reader} asset={asset} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ReaderWords({ reader, asset }: { reader: Reader; asset: Asset }) {
  const text = useWords(shareTexts)
  const values = useWords(assetTexts)
  const [who, why] = wordsOf(reader)
  return (
    <>
      <span className={styles.readerWords}>
        <span>{who}</span>
        <span className={styles.why}>{why}</span>
      </span>
      {reader.why !== 'nobody' && <Tag>{values[reader.level]}</Tag>}
    </>
  )

  function wordsOf(one: Reader): [who: string, why: string] {
    if (one.why === 'author') return [one.name, text.author]
    if (one.why === 'administrators') return [text.administrators, text.administratorsWhy]
    const byVisibility = text.visibility(values[asset.visibility])
    if (one.why !== 'departments') return [text[one.why], byVisibility]
    return [
      one.names.length > 0 ? `${text.departments}: ${one.names.join(', ')}` : text.noDepartments,
      byVisibility,
    ]
  }
}
