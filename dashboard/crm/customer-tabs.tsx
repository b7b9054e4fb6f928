import { useOrganization } from '../data/organization.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useWords, words } from '../words/words.ts'

const texts = words({
  es: { label: 'Clientes y contactos', clients: 'Clientes', contacts: 'Contactos' },
  en: { label: 'Clients and contacts', clients: 'Clients', contacts: 'Contacts' },
})

/** Leads from the clients to the contacts of all of them, and back. */
export function CustomerTabs({ current }: { current: 'clients' | 'contacts' }) {
  const text = useWords(texts)
  const { address } = useOrganization()
  return (
    <Tabs
      label={text.label}
      current={current}
      tabs={(['clients', 'contacts'] as const).map(id => ({
        id,
        title: text[id],
        href: `/o/${encodeURIComponent(address)}/${id}`,
      }))}
    />
  )
}
