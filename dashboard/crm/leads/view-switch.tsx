import { useOrganization } from '../../data/organization.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { useWords, words } from '../../words/words.ts'

const texts = words({
  es: { view: 'Vista', table: 'Tabla', board: 'Tablero' },
  en: { view: 'View', table: 'Table', board: 'Board' },
})

/** Switches between the table and the board of leads or opportunities. */
export function ViewSwitch({ of, view }: { of: 'leads' | 'opportunities'; view: 'table' | 'board' }) {
  const text = useWords(texts)
  const { address } = useOrganization()
  const path = `/o/${encodeURIComponent(address)}/${of}`
  return (
    <Segmented
      label={text.view}
      segments={[
        { id: 'table', label: text.table, icon: 'table', href: path },
        { id: 'board', label: text.board, icon: 'board', href: `${path}/board` },
      ]}
      current={view}
    />
  )
}
