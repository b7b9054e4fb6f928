import { useState } from 'react'
import { type Grant, listGrants, listPastGrants, putGrant } from '#contract/chat/grants.ts'
import { textOfError } from '../../data/errors.ts'
import { useObstacle, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, isManageable, managesChannel } from '../channel.rules.ts'
import type { HeadingLevel } from '../part.tsx'
import { GrantHistory } from './grant-history.tsx'
import { GrantItem } from './grant-item.tsx'
import styles from './grants.module.css'
import { grantTexts } from './grants.words.ts'

const GrantDialog = late(() => import('./grant-dialog.tsx').then(dialog => dialog.GrantDialog))
const RevokeGrantDialog = late(() =>
  import('./revoke-grant-dialog.tsx').then(dialog => dialog.RevokeGrantDialog),
)

type Open = { kind: 'none' | 'give' } | { kind: 'change' | 'revoke'; grant: Grant }

/** The applications of a channel: what each sees, on whose behalf, and why one does not. */
export function ChannelApplications({ channel, level }: { channel: Channel; level: HeadingLevel }) {
  const text = useWords(grantTexts)
  const language = useLanguage()
  const { caller } = useOrganization()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const { data, error, refetch } = useRead(listGrants, { params: { id: channel.id } })
  const obstacle = useObstacle(putGrant)
  const isManager = managesChannel(caller, channel)
  const maySeeHistory = useObstacle(listPastGrants) === undefined && isManager
  const mayGive = isManager && obstacle === undefined && !channel.isArchived
  if (error)
    return (
      <Problem
        title={textOfError(error, language)}
        action={<Button onPress={() => void refetch()}>{text.again}</Button>}
      />
    )
  if (!data) return <Skeleton rows={4} label={text.reading} />
  const grants = data.items
  const giveButton = mayGive && (
    <Button
      icon="plus"
      onPress={() => setOpen({ kind: 'give' })}
      onHoverStart={GrantDialog.preload}
      onFocus={GrantDialog.preload}
    >
      {text.give}
    </Button>
  )
  return (
    <div className={styles.content}>
      {channel.isArchived && isManager && grants.length > 0 && <Notice>{text.archived}</Notice>}
      {isManager && obstacle === 'module' && <Notice>{text.noModule}</Notice>}
      {grants.length === 0 ? (
        <Empty title={text.none} action={giveButton}>
          {isManageable(channel) ? text.noneAbout : text.noneDirect}
        </Empty>
      ) : (
        <>
          <div className={styles.top}>
            <span className={styles.quiet}>{isManager ? text.count(grants.length) : text.onlyManagers}</span>
            {giveButton}
          </div>
          <ul aria-label={text.title} className={styles.grants}>
            {grants.map(grant => (
              <GrantItem
                key={grant.application.id}
                channel={channel}
                grant={grant}
                level={level}
                isFirstOpen={grants.length === 1 || grant.obstacle !== null}
                mayGive={mayGive}
                onChange={() => setOpen({ kind: 'change', grant })}
                onRevoke={() => setOpen({ kind: 'revoke', grant })}
              />
            ))}
          </ul>
        </>
      )}
      {maySeeHistory && <GrantHistory channelId={channel.id} level={level} />}
      {open.kind === 'give' && <GrantDialog channel={channel} grants={grants} onClose={close} />}
      {open.kind === 'change' && (
        <GrantDialog channel={channel} grants={grants} grant={open.grant} onClose={close} />
      )}
      {open.kind === 'revoke' && <RevokeGrantDialog channel={channel} grant={open.grant} onClose={close} />}
    </div>
  )
}
