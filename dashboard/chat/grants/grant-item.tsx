import { useId, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { Grant } from '#contract/chat/grants.ts'
import { Icon } from '../../parts/icon.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Person } from '../../parts/person.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { Channel } from '../channel.rules.ts'
import type { HeadingLevel } from '../part.tsx'
import { GrantRepair } from './grant-repair.tsx'
import { GrantSight } from './grant-sight.tsx'
import styles from './grants.module.css'
import { grantTexts } from './grants.words.ts'
import { useGrantActions } from './use-grant-actions.ts'

/** An application of a channel. Its name shows and hides what it sees. */
export function GrantItem({
  channel,
  grant,
  level,
  isFirstOpen,
  mayGive,
  onChange,
  onRevoke,
}: {
  channel: Channel
  grant: Grant
  level: HeadingLevel
  isFirstOpen: boolean
  mayGive: boolean
  onChange: () => void
  onRevoke: () => void
}) {
  const text = useWords(grantTexts)
  const id = useId()
  const [isOpen, setOpen] = useState(isFirstOpen)
  const actions = useGrantActions({ channel, grant, mayGive, onChange, onRevoke })
  const { application, grantedBy, grantedAt } = grant
  return (
    <li className={styles.grant}>
      <div className={styles.row}>
        <AriaButton
          className={styles.toggle ?? ''}
          aria-expanded={isOpen}
          aria-controls={id}
          onPress={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
          <span className={styles.who}>
            <Person name={application.name} kind="application" />
            <span className={styles.about}>
              {text.onBehalf(grantedBy.displayName)}, {text.since} <Time value={grantedAt} form="date" />
            </span>
          </span>
          <span className={styles.state}>
            <GrantStatus grant={grant} />
          </span>
        </AriaButton>
        <MoreMenu
          label={text.actionsOf(application.name)}
          groups={[{ id: 'actions', entries: actions.entries }]}
        />
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <div className={styles.details}>
            <GrantRepair grant={grant} mayGive={mayGive} actions={actions} />
            <GrantSight channel={channel} grant={grant} level={level} />
          </div>
        )}
      </div>
    </li>
  )
}

function GrantStatus({ grant: { isEffective, isMember, effectiveCapabilities } }: { grant: Grant }) {
  const text = useWords(grantTexts)
  if (isEffective)
    return (
      <Status icon="done" kind="done">
        {text.sees}
      </Status>
    )
  if (isMember)
    return (
      <Status icon="errors" kind="warn">
        {text.seesNot}
      </Status>
    )
  return effectiveCapabilities.length > 0 ? (
    <Status icon="half">{text.onlyManages}</Status>
  ) : (
    <Status icon="dashed" kind="quiet">
      {text.onlyListed}
    </Status>
  )
}
