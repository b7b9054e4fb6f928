import { useState } from 'react'
import { listPastGrants } from '#contract/chat/grants.ts'
import { textOfError } from '../../data/errors.ts'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { Timeline, type TimelineEvent } from '../../parts/timeline.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type HeadingLevel, Part } from '../part.tsx'
import styles from './grants.module.css'
import { grantTexts } from './grants.words.ts'
import { type GrantEvent, grantEvents } from './history.rules.ts'

const looks: Readonly<
  Record<GrantEvent['kind'], { icon: IconName; kind: NonNullable<TimelineEvent['kind']> }>
> = {
  given: { icon: 'plus', kind: 'done' },
  changed: { icon: 'edit', kind: 'plain' },
  revoked: { icon: 'close', kind: 'warn' },
}

/** All current and past grants of a channel; they are read when somebody asks for them. */
export function GrantHistory({ channelId, level }: { channelId: string; level: HeadingLevel }) {
  const text = useWords(grantTexts)
  const [isShown, setShown] = useState(false)
  if (!isShown)
    return (
      <div>
        <Button kind="quiet" icon="clock" onPress={() => setShown(true)}>
          {text.showHistory}
        </Button>
      </div>
    )
  return (
    <Part title={text.history} level={level}>
      <History channelId={channelId} />
    </Part>
  )
}

function History({ channelId }: { channelId: string }) {
  const text = useWords(grantTexts)
  const language = useLanguage()
  const grants = useList(listPastGrants, { params: { id: channelId } })
  if (grants.isLoading) return <Skeleton rows={3} label={text.reading} />
  if (grants.error) return <Notice kind="danger">{textOfError(grants.error, language)}</Notice>
  const events = grantEvents(grants.items, !grants.hasMore)
  if (events.length === 0) return <p className={styles.quiet}>{text.historyEmpty}</p>
  return (
    <>
      <Timeline
        label={text.history}
        events={events.map(event => ({
          id: event.id,
          at: event.at,
          ...looks[event.kind],
          content: <HistoryEvent event={event} />,
        }))}
      />
      <LoadMore {...grants} />
    </>
  )
}

function HistoryEvent({ event: { kind, byName, grant } }: { event: GrantEvent }) {
  const text = useWords(grantTexts)
  const rights = [
    grant.isMember ? text.isMember : text.isNoMember,
    ...(grant.capabilities.includes('Crear y organizar canales') ? [text.canOrganize] : []),
    ...(grant.capabilities.includes('Gestionar miembros') ? [text.canManageMembers] : []),
  ]
  return (
    <>
      {text[kind](byName ?? text.somebody, grant.application.name)}
      {kind !== 'revoked' && <span className={styles.line}>{rights.join(' · ')}</span>}
    </>
  )
}
