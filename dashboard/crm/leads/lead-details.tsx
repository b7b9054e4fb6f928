import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listLeadHistory } from '#contract/crm/team.ts'
import { listByEntity } from '#contract/studio/links.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Person } from '../../parts/person.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { EntityAssets } from '../../studio/index.ts'
import { useWords } from '../../words/words.ts'
import { Duplicates } from './duplicates.tsx'
import type { Lead } from './lead.ts'
import { leadFieldTexts } from './lead.words.ts'
import { leadDetailTexts } from './lead-details.words.ts'
import { LeadHistory } from './lead-history.tsx'
import { LeadStatus, LeadTemperature } from './lead-status.tsx'
import styles from './leads.module.css'
import { useOwnerNames } from './use-leads.ts'

/** The facts, the notes and the history of a lead: in the sheet and on the page. */
export function LeadDetails({ lead, isPage = false }: { lead: Lead; isPage?: boolean }) {
  const text = useWords(leadDetailTexts)
  const may = useMay()
  const Heading = isPage ? 'h2' : 'h3'
  const Part = isPage ? PagePart : SheetSection
  return (
    <>
      <Part>
        <div className={styles.stack}>
          <Duplicates leadId={lead.id} />
          <LeadFacts lead={lead} />
        </div>
      </Part>
      {lead.notes && (
        <Part>
          <Heading className={styles.subtitle}>{text.notes}</Heading>
          <p className={styles.text}>{lead.notes}</p>
          <p className={styles.quiet}>{text.notesAbout}</p>
        </Part>
      )}
      {may(listByEntity) && (
        <Part>
          <EntityAssets entityType="lead" entityId={lead.id} level={isPage ? 2 : 3} />
        </Part>
      )}
      {may(listLeadHistory) && (
        <Part>
          <Heading className={styles.subtitle}>{text.history}</Heading>
          <LeadHistory leadId={lead.id} />
        </Part>
      )}
    </>
  )
}

function PagePart({ children }: { children: ReactNode }) {
  return <div className={styles.part}>{children}</div>
}

function LeadFacts({ lead }: { lead: Lead }) {
  const text = useWords(leadDetailTexts)
  const fields = useWords(leadFieldTexts)
  const owners = useOwnerNames([lead])
  const { email, phone, assigneeId } = lead
  const owner = assigneeId === null ? undefined : (owners.get(assigneeId) ?? text.unknownPerson)
  const moment = (term: string, value: string | null): Fact => ({
    term,
    value: value && <Time value={value} form="moment" isFocusable />,
  })
  return (
    <Facts
      facts={[
        { term: fields.status, value: <LeadStatus status={lead.status} /> },
        { term: fields.assigneeId, value: owner ? <Person name={owner} /> : text.nobody },
        { term: fields.score, value: lead.score?.toString() },
        {
          term: fields.temperature,
          value: lead.temperature && <LeadTemperature temperature={lead.temperature} />,
        },
        { term: fields.stage, value: lead.stage },
        { term: fields.email, value: email && <ContactLink href={`mailto:${email}`} label={email} /> },
        { term: fields.phone, value: phone && <ContactLink href={`tel:${phone}`} label={phone} /> },
        { term: fields.company, value: lead.company },
        { term: fields.source, value: lead.source },
        { term: text.client, value: <ScreenLink route="clients/$clientId" id={lead.clientId} /> },
        {
          term: text.opportunity,
          value: <ScreenLink route="opportunities/$opportunityId" id={lead.opportunityId} />,
        },
        moment(text.qualifiedAt, lead.qualifiedAt),
        moment(text.lostAt, lead.lostAt),
        moment(text.convertedAt, lead.convertedAt),
        moment(text.created, lead.createdAt),
        moment(text.updated, lead.updatedAt),
        { term: text.id, value: <Id value={lead.id} isShortened /> },
      ].filter(({ term }) => lead.isConverted || ![text.client, text.opportunity].includes(term))}
    />
  )
}

function ContactLink({ href, label }: { href: string; label: string }) {
  return <TextLink href={href}>{label}</TextLink>
}

/** A link to the client or the opportunity that a lead became. */
function ScreenLink({ route, id }: { route: string; id: string | null }) {
  const text = useWords(leadDetailTexts)
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  if (id === null) return '–'
  if (!(`/o/$organization/${route}` in routesByPath)) return <Id value={id} isShortened />
  const path = route.replace(/\$\w+/, id)
  return <TextLink href={`/o/${encodeURIComponent(address)}/${path}`}>{text.open}</TextLink>
}
