import { countAssetUses } from '#contract/studio/uses.ts'
import { HourBars } from '../../charts/hour-bars.tsx'
import { useRead } from '../../data/read.ts'
import { absoluteTime } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { assetPageTexts } from './asset-page.words.ts'
import styles from './assets.module.css'

/** The uses of an asset on each of the last days. Nothing until it was used. */
export function AssetUses({ asset }: { asset: Asset }) {
  const text = useWords(assetPageTexts)
  const language = useLanguage()
  const { data } = useRead(countAssetUses, { params: { id: asset.id }, query: {} })
  if (!data?.days.some(({ uses }) => uses > 0)) return null
  return (
    <section className={styles.uses}>
      <HourBars
        label={text.usesByDay}
        series={[{ id: 'uses', label: text.uses, kind: 'strong' }]}
        bars={data.days.map(({ day, uses }) => ({
          id: day,
          label: absoluteTime(new Date(`${day}T12:00`).getTime(), language, 'day'),
          values: { uses },
        }))}
      />
    </section>
  )
}
