import { useOrganization } from '../../data/organization.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { useWords, words } from '../../words/words.ts'

const texts = words({
  es: { view: 'Vista', table: 'Tabla', board: 'Tablero' },
  en: { view: 'View', table: 'Table', board: 'Board' },
})

/** Switches between the table and the board of leads or opportunities. */
export function ViewSwitch({
  of,
  view,
  filters = {},
}: {
  of: 'leads' | 'opportunities'
  view: 'table' | 'board'
  /** The filters that both views have. */
  filters?: Readonly<Record<string, string>>
}) {
  const text = useWords(texts)
  const { address } = useOrganization()
  const path = `/o/${encodeURIComponent(address)}/${of}`
  const query = new URLSearchParams(filters).toString()
  const hrefOf = (href: string) => (query ? `${href}?${query}` : href)
  return (
    <Segmented
      label={text.view}
      segments={[
        { id: 'table', label: text.table, icon: 'table', href: hrefOf(path) },
        { id: 'board', label: text.board, icon: 'board', href: hrefOf(`${path}/board`) },
      ]}
      current={view}
    />
  )
}
