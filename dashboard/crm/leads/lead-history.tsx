import { listLeadHistory } from '#contract/crm/team.ts'
import { textOfError } from '../../data/errors.ts'
import { useList } from '../../data/read.ts'
import type { IconName } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Timeline, type TimelineEvent } from '../../parts/timeline.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { LeadChange } from './lead.ts'
import { leadFieldTexts, statusTexts } from './lead.words.ts'
import { leadDetailTexts } from './lead-details.words.ts'
import styles from './leads.module.css'

/** The changes of a lead, the latest first: who changed which fields, and why. */
export function LeadHistory({ leadId }: { leadId: string }) {
  const text = useWords(leadDetailTexts)
  const language = useLanguage()
  const history = useList(listLeadHistory, { params: { id: leadId }, query: { limit: 20 } })
  if (history.error) return <Problem title={textOfError(history.error, language)} />
  if (history.isLoading) return <Skeleton rows={3} label={text.reading} />
  if (history.items.length === 0) return <p className={styles.quiet}>{text.noHistory}</p>
  return (
    <>
      <Timeline label={text.history} events={history.items.map(eventOf)} />
      <LoadMore {...history} shown={history.items.length} />
    </>
  )
}

function eventOf(change: LeadChange): TimelineEvent {
  const { id, at, action, toStatus } = change
  const kinds = { convert: 'done', disqualify: 'danger', erase: 'danger' } as const
  return {
    id,
    at,
    icon: iconOf(action, toStatus),
    kind: kinds[action as keyof typeof kinds] ?? 'plain',
    content: <ChangeSentence change={change} />,
  }
}

function iconOf(action: string, status: LeadChange['toStatus']): IconName {
  const icons: Readonly<Record<string, IconName>> = {
    create: 'plus',
    import: 'file',
    qualify: 'half',
    disqualify: 'blocked',
    convert: 'done',
    erase: 'trash',
    update: 'edit',
    score: 'lightning',
  }
  const moves: Readonly<Record<string, IconName>> = {
    NEW: 'dashed',
    CONTACTED: 'quarter',
    QUALIFIED: 'half',
    NEGOTIATING: 'threeQuarters',
    LOST: 'blocked',
  }
  return icons[action] ?? moves[status] ?? 'edit'
}

/** “Amir moved it from Qualified to Negotiating”, “Web forms application created the lead”. */
function ChangeSentence({ change }: { change: LeadChange }) {
  const text = useWords(leadDetailTexts)
  const { actor, source, reason } = change
  const name = actor.name ?? (actor.kind === 'SYSTEM' ? text.system : text.somebody)
  return (
    <>
      <p>
        <span className={styles.name}>{name}</span>{' '}
        {actor.kind === 'APP' && <span className={styles.quiet}>{text.application} </span>}
        <Action change={change} />
        {source && source !== 'manual' && <span className={styles.quiet}> {text[source]}</span>}
      </p>
      {reason && <p className={styles.text}>{reason}</p>}
    </>
  )
}

function Action({ change: { action, fromStatus, toStatus, changed } }: { change: LeadChange }) {
  const text = useWords(leadDetailTexts)
  const statuses = useWords(statusTexts)
  const fields: Readonly<Record<string, string>> = useWords(leadFieldTexts)
  const plain: Readonly<Record<string, string>> = {
    create: text.create,
    import: text.import,
    qualify: text.qualify,
    disqualify: text.disqualify,
    convert: text.convertVerb,
    erase: text.erase,
  }
  if (plain[action]) return plain[action]
  const names = changed
    .filter(field => field !== 'status')
    .map(field => fields[field]?.toLowerCase() ?? field)
  const isMoved = fromStatus !== null && fromStatus !== toStatus
  return (
    <>
      {isMoved && (
        <>
          {text.moved} <span className={styles.quiet}>{text.from}</span> {statuses[fromStatus]}{' '}
          <span className={styles.quiet}>{text.to}</span> {statuses[toStatus]}
        </>
      )}
      {isMoved && names.length > 0 && ', '}
      {names.length > 0 && (
        <>
          {text.changed} {names.join(', ')}
        </>
      )}
    </>
  )
}
