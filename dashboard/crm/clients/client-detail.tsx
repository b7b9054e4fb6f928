import type { Client } from '#contract/crm/clients.ts'
import { readIssuer } from '#contract/crm/issuer.ts'
import type { HeadingLevel } from '../../data/detail-list.tsx'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { EntityAssets } from '../../studio/index.ts'
import { listText } from '../../words/formatters.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { countryName } from '../countries.ts'
import { BillingContacts } from './billing-contacts.tsx'
import { missingForInvoices } from './client.rules.ts'
import styles from './client-detail.module.css'
import { ClientBudgets } from './client-documents.tsx'
import { ClientDue } from './client-due.tsx'
import { ClientInvoices } from './client-invoices.tsx'
import { ClientMandates } from './client-mandates.tsx'
import { ClientPeople } from './client-people.tsx'
import { ClientPortal } from './client-portal.tsx'
import { clientTexts } from './clients.words.ts'

/** A client with all that belongs to it: in a sheet in one column, on a wide page in two. */
export function ClientDetail({ client, level }: { client: Client; level: HeadingLevel }) {
  return (
    <div className={styles.frame}>
      <div className={styles.detail}>
        <div className={styles.about}>
          <ClientNotices client={client} />
          <ClientFacts client={client} />
          <ClientDue clientId={client.id} level={level} />
        </div>
        <div className={styles.lists}>
          <ClientPeople client={client} level={level} />
          <ClientPortal client={client} level={level} />
          <BillingContacts client={client} level={level} />
          <ClientBudgets client={client} level={level} />
          <ClientInvoices client={client} level={level} />
          <ClientMandates client={client} level={level} />
          <EntityAssets entityType="client" entityId={client.id} level={level} />
        </div>
      </div>
    </div>
  )
}

/** Says why the client cannot be used: it is archived, or its tax data is incomplete. */
function ClientNotices({ client }: { client: Client }) {
  const text = useWords(clientTexts)
  const language = useLanguage()
  const { data } = useRead(readIssuer)
  if (client.archivedAt !== null) return <Notice>{text.archivedNotice}</Notice>
  const missing = data ? missingForInvoices(client, data.issuer?.country) : []
  if (missing.length === 0) return null
  const names = missing.map(name => (name === 'taxId' ? text.taxId : text[name].toLowerCase()))
  return <Notice kind="warn">{text.missing(listText(names, language))}</Notice>
}

function ClientFacts({ client }: { client: Client }) {
  const text = useWords(clientTexts)
  const language = useLanguage()
  const { taxId, email, phone, address, postalCode, city, country, createdAt, id } = client
  return (
    <Facts
      facts={[
        { term: text.taxId, value: taxId },
        {
          term: text.email,
          value: email && <TextLink href={`mailto:${email}`}>{email}</TextLink>,
        },
        { term: text.phone, value: phone },
        { term: text.address, value: address },
        { term: text.city, value: [postalCode, city].filter(Boolean).join(' ') },
        { term: text.country, value: country && countryName(country, language) },
        { term: text.since, value: <Time value={createdAt} form="date" /> },
        { term: text.id, value: <Id value={id} isShortened /> },
      ]}
    />
  )
}
