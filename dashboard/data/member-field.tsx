import { type ReactNode, useState } from 'react'
import { getMember, listMembers } from '#contract/identity/organization.ts'
import { PersonPicker } from '../parts/combo.tsx'
import { useWords, words } from '../words/words.ts'
import { useList, useRead } from './read.ts'

const texts = words({
  es: { hint: 'Busca por nombre o correo.' },
  en: { hint: 'Search by name or e-mail.' },
})
const nobodyId = 'none'
type NamedPerson = { id: string; name: string; email?: string }

/** A field for a member of the organization, whom the server finds by name or e-mail. */
export function MemberField({
  label,
  hint,
  value,
  onChange,
  nobody,
  others = [],
  isRequired = false,
}: {
  label: string
  hint?: ReactNode
  value: string | null
  onChange: (id: string | null) => void
  /** The entry for nobody, which stands for null; without it, null is a field that is not filled in. */
  nobody?: string
  /** People who are perhaps no members any more, and can be chosen too. */
  others?: readonly NamedPerson[]
  isRequired?: boolean
}) {
  const text = useWords(texts)
  const [typed, setTyped] = useState<string>()
  const other = others.find(({ id }) => id === value)
  const current = useRead(
    getMember,
    { params: { personId: value ?? '' } },
    { enabled: value !== null && !other },
  )
  const shown = typed ?? (value === null ? (nobody ?? '') : (other?.name ?? current.data?.name ?? ''))
  const search = typed !== undefined && typed !== '' && typed !== nobody ? typed : undefined
  const found = useList(listMembers, { query: { limit: 20, ...(search !== undefined && { search }) } })
  const members = found.items.map(({ personId, name, email }) => ({ id: personId, name, email }))
  const known = new Set(members.map(({ id }) => id))
  const isFitting = ({ name }: NamedPerson) => name.toLowerCase().includes((search ?? '').toLowerCase())
  return (
    <PersonPicker
      label={label}
      hint={hint ?? text.hint}
      isRequired={isRequired}
      people={[
        ...(nobody === undefined ? [] : [{ id: nobodyId, name: nobody }]),
        ...others.filter(({ id }) => !known.has(id)).filter(isFitting),
        ...members,
      ]}
      isLoading={found.isLoading}
      search={shown}
      onSearch={setTyped}
      value={value ?? (nobody === undefined ? null : nobodyId)}
      onChange={id => {
        if (id === null) return
        onChange(id === nobodyId ? null : id)
        setTyped(undefined)
      }}
    />
  )
}
