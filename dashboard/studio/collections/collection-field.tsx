import type { Collection } from '#contract/studio/collections.ts'
import { Combo } from '../../parts/combo.tsx'
import { pathText } from './collection.rules.ts'
import { useCollections } from './use-collections.ts'

const top = 'top'

/** A field for a collection, by its whole path. */
export function CollectionField({
  label,
  hint,
  topLabel,
  value,
  onChange,
  isOffered = () => true,
}: {
  label: string
  hint?: string
  /** The words for no collection; without them, one must be chosen. */
  topLabel?: string
  /** The id of the chosen one; null is the top level, undefined none. */
  value: string | null | undefined
  onChange: (collection: Collection | null) => void
  /** Collections that cannot be chosen are left out; null is the top level. */
  isOffered?: (collection: Collection | null) => boolean
}) {
  const { items, isLoading } = useCollections()
  const offered = items.filter(isOffered)
  const hasTop = topLabel !== undefined && isOffered(null)
  return (
    <Combo
      // the field keeps the entries that it was made with
      key={`${isLoading} ${items.length}`}
      label={label}
      isLoading={isLoading}
      items={[
        ...(hasTop ? [{ id: top, label: topLabel }] : []),
        ...offered.map(collection => ({ id: collection.id, label: pathText(collection) })),
      ]}
      value={value === null ? top : (value ?? null)}
      onChange={id => {
        if (id === top) onChange(null)
        else if (id !== null) onChange(offered.find(one => one.id === id) ?? null)
      }}
      {...(hint !== undefined && { hint })}
    />
  )
}
