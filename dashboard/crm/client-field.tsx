import { useState } from 'react'
import { listClients, readClient } from '#contract/crm/clients.ts'
import { useList, useRead } from '../data/read.ts'
import { Combo } from '../parts/combo.tsx'
import { customerQueryOf } from './customer-search.ts'

/** A field for a client that is not archived, found on the server by name. */
export function ClientField({
  label,
  hint,
  value,
  name: knownName,
  onChange,
  isRequired = false,
}: {
  label: string
  hint?: string
  /** The id of the chosen client. */
  value: string | null
  /** The name of the chosen client, if it is known; else it is read. */
  name?: string | undefined
  onChange: (clientId: string | null, name: string) => void
  /** Without it, an empty field means no client. */
  isRequired?: boolean
}) {
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<{ id: string; name: string }>()
  const chosenName = chosen?.id === value ? chosen.name : knownName
  const read = useRead(
    readClient,
    { params: { id: value ?? '' } },
    { enabled: value !== null && chosenName === undefined },
  )
  const clients = useList(listClients, { query: { ...customerQueryOf({ search: typed ?? '' }), limit: 20 } })
  return (
    <Combo
      label={label}
      items={clients.items.map(({ id, name, taxId }) => ({ id, label: name, ...(taxId && { hint: taxId }) }))}
      isLoading={clients.isLoading}
      search={typed ?? (value === null ? '' : (chosenName ?? read.data?.name ?? ''))}
      onSearch={text => {
        setTyped(text)
        if (text === '' && value !== null && !isRequired) onChange(null, '')
      }}
      // the name of the chosen client comes back
      onBlur={() => setTyped(undefined)}
      value={value}
      onChange={(id, item) => {
        if (id === null || !item) return
        setTyped(undefined)
        setChosen({ id, name: item.label })
        onChange(id, item.label)
      }}
      isRequired={isRequired}
      {...(hint !== undefined && { hint })}
    />
  )
}
