import { useRef } from 'react'
import { countAssetUses } from '#contract/studio/uses.ts'
import { HourBars } from '../../charts/hour-bars.tsx'
import { useRead } from '../../data/read.ts'
import { dayText } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { assetPageTexts } from './asset-page.words.ts'
import styles from './assets.module.css'

/** The uses of an asset on each of the last days. Nothing until it was used. */
export function AssetUses({ asset: { id, usageCount } }: { asset: Asset }) {
  const { usesByDay } = useWords(assetPageTexts)
  const language = useLanguage()
  const { data } = useRead(countAssetUses, { params: { id }, query: {} })
  // the counter ticks with every use; those since the days were read belong to today
  const read = useRef({ data, usageCount })
  if (read.current.data !== data) read.current = { data, usageCount }
  const since = Math.max(0, usageCount - read.current.usageCount)
  const days = data?.days ?? []
  const bars = days.map(({ day, uses }, at) => ({
    id: day,
    label: dayText(day, language, 'day'),
    values: { uses: at === days.length - 1 ? uses + since : uses },
  }))
  if (!bars.some(({ values }) => values.uses > 0)) return null
  return (
    <section className={styles.uses}>
      <HourBars label={usesByDay} series={[{ id: 'uses', label: usesByDay, kind: 'strong' }]} bars={bars} />
    </section>
  )
}
