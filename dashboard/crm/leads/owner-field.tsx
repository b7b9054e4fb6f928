import { useState } from 'react'
import { getMember, listMembers } from '#contract/identity/organization.ts'
import { useList, useRead } from '../../data/read.ts'
import { PersonPicker } from '../../parts/combo.tsx'
import { useWords, words } from '../../words/words.ts'

const texts = words({
  es: { owner: 'Responsable', nobody: 'Nadie', hint: 'Busca por nombre o correo.' },
  en: { owner: 'Owner', nobody: 'Nobody', hint: 'Search by name or e-mail.' },
})
const nobody = 'none'

/** The person who works on a lead, found on the server by name; null is nobody. */
export function OwnerField({
  value,
  onChange,
}: {
  value: string | null
  onChange: (id: string | null) => void
}) {
  const text = useWords(texts)
  const [typed, setTyped] = useState<string>()
  const current = useRead(getMember, { params: { personId: value ?? '' } }, { enabled: value !== null })
  const shown = typed ?? (value === null ? text.nobody : (current.data?.name ?? ''))
  const isSearching = typed !== undefined && typed !== '' && typed !== text.nobody
  const found = useList(listMembers, { query: { limit: 20, ...(isSearching && { search: typed }) } })
  return (
    <PersonPicker
      label={text.owner}
      hint={text.hint}
      people={[
        { id: nobody, name: text.nobody },
        ...found.items.map(({ personId, name, email }) => ({ id: personId, name, email })),
      ]}
      isLoading={found.isLoading}
      search={shown}
      onSearch={setTyped}
      value={value ?? nobody}
      onChange={id => {
        if (id === null) return
        onChange(id === nobody ? null : id)
        setTyped(undefined)
      }}
    />
  )
}
