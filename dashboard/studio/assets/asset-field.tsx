import { useState } from 'react'
import { type AssetItem, listAssets } from '#contract/studio/assets.ts'
import { useList } from '../../data/read.ts'
import { Combo } from '../../parts/combo.tsx'
import { useWords } from '../../words/words.ts'
import { assetTexts } from './asset.words.ts'

/** Finds an asset that the person may read, on the server by its words, and hands it on; the field is then ready for the next. */
export function AssetField({
  label,
  hint,
  isOffered = () => true,
  onChoose,
}: {
  label: string
  hint?: string
  /** Assets that cannot be chosen are left out. */
  isOffered?: (asset: AssetItem) => boolean
  onChoose: (asset: AssetItem) => void
}) {
  const values = useWords(assetTexts)
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const found = useList(listAssets, {
    query: { limit: 30, ...(search === '' ? { orderBy: 'recent' as const } : { search }) },
  })
  const offered = found.items.filter(isOffered)
  return (
    <Combo
      label={label}
      items={offered.map(({ id, name, type, author }) => ({
        id,
        label: name,
        hint: `${values[type]} · ${author.name}`,
      }))}
      isLoading={found.isLoading}
      search={typed}
      onSearch={setTyped}
      value={null}
      onChange={id => {
        const asset = offered.find(one => one.id === id)
        if (!asset) return
        setTyped('')
        onChoose(asset)
      }}
      {...(hint !== undefined && { hint })}
    />
  )
}
